internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

/// What a hearing aid has beside the other standard services, and what any headphone may have of
/// it: presets, outputs, inputs, microphones.
struct HearingAidServices: Hashable, Sendable {
  /// Characteristics of the Hearing Access service.
  struct Presets: Hashable, Sendable {
    var features: Characteristic
    /// `nil` for an aid without presets, as the next one.
    var control: Characteristic?
    var active: Characteristic?
  }

  /// Characteristics of a Volume Offset Control service.
  struct Output: Hashable, Sendable {
    var state: Characteristic
    var control: Characteristic
    var location: Characteristic?
  }

  /// Characteristics of an Audio Input Control service.
  struct Input: Hashable, Sendable {
    var state: Characteristic
    var control: Characteristic
    var gain: Characteristic?
    var type: Characteristic?
    var description: Characteristic?
  }

  /// `nil`: it is no hearing aid of LE Audio.
  var presets: Presets?
  var outputs: [Output] = []
  var inputs: [Input] = []
  /// Mute of the Microphone Control service.
  var microphone: Characteristic?
  /// Read Only Properties of Audio Streaming for Hearing Aids.
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

  /// Whether there is any of it.
  var isEmpty: Bool {
    presets == nil && outputs.isEmpty && inputs.isEmpty && microphone == nil && asha == nil
  }

  /// The service that makes it a hearing aid; `nil` if it is none.
  var hearingAidService: BluetoothUUID? {
    presets != nil ? .hearingAccess : asha != nil ? .asha : nil
  }
}

extension Service {
  /// A characteristic that can be read; `nil` if there is none.
  fileprivate func readable(_ uuid: BluetoothUUID) -> Characteristic? {
    characteristic(uuid).flatMap { $0.canRead ? $0 : nil }
  }
}
