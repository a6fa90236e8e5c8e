internal import BluetoothCodec
internal import HeadphoneProtocols

/// The characteristics of hearing aids, of which any other headphone may have some, too.
struct HearingAidServices: Hashable, Sendable {
  struct Presets: Hashable, Sendable {
    var features: Characteristic
    /// The Preset Control Point, or nil for an aid without presets, as for `active`.
    var control: Characteristic?
    var active: Characteristic?
  }

  struct Output: Hashable, Sendable {
    var state: Characteristic
    var control: Characteristic
    var location: Characteristic?
  }

  struct Input: Hashable, Sendable {
    var state: Characteristic
    var control: Characteristic
    var gain: Characteristic?
    var type: Characteristic?
    var description: Characteristic?
  }

  /// The Hearing Access service, or nil if the device is not a hearing aid of LE Audio.
  var presets: Presets?
  var outputs: [Output] = []
  var inputs: [Input] = []
  var microphone: Characteristic?
  var asha: Characteristic?

  init(_ database: Database) {
    if let service = database.service(.hearingAccess),
      let features = service.characteristic(.hearingAidFeatures), features.canRead
    {
      presets = Presets(features: features)
      if let control = service.characteristic(.presetControlPoint), control.canWrite,
        control.properties.contains(.indicate),
        let active = service.characteristic(.activePreset), active.canRead
      {
        presets?.control = control
        presets?.active = active
      }
    }
    outputs = database.services(.volumeOffset).compactMap { service in
      guard let state = service.characteristic(.offsetState), state.canRead,
        let control = service.characteristic(.offsetControlPoint), control.canWrite
      else { return nil }
      return Output(
        state: state, control: control, location: service.readable(.outputLocation))
    }
    inputs = database.services(.audioInput).compactMap { service in
      guard let state = service.characteristic(.inputState), state.canRead,
        let control = service.characteristic(.inputControlPoint), control.canWrite
      else { return nil }
      return Input(
        state: state, control: control, gain: service.readable(.inputGain),
        type: service.readable(.inputType), description: service.readable(.inputDescription))
    }
    microphone = database.service(.microphoneControl)?.readable(.microphoneMute)
    asha = database.service(.asha)?.readable(.ashaProperties)
  }

  var isEmpty: Bool {
    presets == nil && outputs.isEmpty && inputs.isEmpty && microphone == nil && asha == nil
  }

  /// The service that shows that the device is a hearing aid, or nil if it is none.
  var hearingAidService: BluetoothUUID? {
    presets != nil ? .hearingAccess : asha != nil ? .asha : nil
  }
}

extension Service {
  fileprivate func readable(_ uuid: BluetoothUUID) -> Characteristic? {
    characteristic(uuid).flatMap { $0.canRead ? $0 : nil }
  }
}
