internal import BluetoothAttributes
internal import BluetoothCodec
public import BluetoothRadio
public import HeadphoneProtocols

/// One of two hearing aids, which rejects the same values as Zephyr's server, with the same errors.
public struct VirtualHearingAid: Hashable, Sendable {
  public var member: VirtualSetMember
  public var features: HearingAidFeatures
  /// The presets, in the order of their indices.
  public var presets: [HearingPreset]
  /// The index of the active preset; 0 for none.
  public var active: UInt8
  public var output = OutputState(offset: 0, counter: 0)
  public var input = InputState(gain: 0, isMuted: false, mode: .manual, counter: 3)
  public var inputGain = InputGain(unit: 5, range: -40...20)
  public var microphone = MicrophoneMute(false)
  /// Whether preset records are not sent, as by an aid that hangs.
  public var withholdsRecords = false
  /// Whether a selected preset is ignored, as by an aid that is busy.
  public var ignoresPresets = false
  public var security: SecurityLevel = .low
  /// The Read Only Properties of ASHA (Audio Streaming for Hearing Aids), or nil without ASHA.
  public var asha: [UInt8]?

  public init(
    _ member: VirtualSetMember, _ features: HearingAidFeatures, _ presets: [HearingPreset],
    active: UInt8
  ) {
    self.member = member
    self.features = features
    self.presets = presets
    self.active = active
  }

  var advertised: [AdvertisingStructure] {
    [.serviceUUIDs([.hearingAccess], isComplete: false)] + member.advertised
  }

  var services: [ServiceDefinition] {
    let access = ServiceDefinition(
      .hearingAccess,
      [
        secured(.hearingAidFeatures, .read, features.encoded()),
        secured(.presetControlPoint, [.write, .indicate], []),
        secured(.activePreset, [.read, .notify], [active]),
      ])
    let offset = ServiceDefinition(
      .volumeOffset, isPrimary: false,
      [
        secured(.offsetState, [.read, .notify], output.encoded()),
        secured(.outputLocation, .read, [member.side == .left ? 1 : 2, 0, 0, 0]),
        secured(.offsetControlPoint, .write, []),
      ])
    let ambient = ServiceDefinition(
      .audioInput, isPrimary: false,
      [
        secured(.inputState, [.read, .notify], input.encoded()),
        secured(.inputGain, .read, inputGain.encoded()),
        secured(.inputType, .read, [InputType.ambient.rawValue]),
        secured(.inputDescription, .read, []),
        secured(.inputControlPoint, .write, []),
      ])
    let mute = ServiceDefinition(
      .microphoneControl,
      [secured(.microphoneMute, [.read, .write, .notify], microphone.encoded())])
    let streaming = asha.map {
      ServiceDefinition(.asha, [CharacteristicDefinition(.ashaProperties, .read, value: $0)])
    }
    return member.services + [access, offset, ambient, mute] + [streaming].compactMap(\.self)
  }

  private func secured(
    _ uuid: BluetoothUUID, _ properties: CharacteristicProperties, _ value: [UInt8]
  ) -> CharacteristicDefinition {
    CharacteristicDefinition(
      uuid, properties, value: value, readSecurity: security, writeSecurity: security)
  }

  // MARK: Writing

  /// Returns the ATT error for a value, or nil; `isConfigured` if the phone enabled indications.
  func objection(
    to value: Bytes, of type: BluetoothUUID, isConfigured: Bool
  ) -> ATTErrorCode? {
    switch type {
    case .presetControlPoint: presetObjection(to: value, isConfigured)
    case .offsetControlPoint:
      counted(value, output.counter, lengths: [0x01: 4]) {
        OutputState.offsets.contains(Int(Self.offset(of: value)))
      }
    case .inputControlPoint: inputObjection(to: value)
    case .microphoneMute:
      microphone.isMuted == nil
        ? ATTErrorCode(rawValue: 0x80)
        : value.count == 1 && (value.first ?? 2) < 2 ? nil : .valueNotAllowed
    default: nil
    }
  }

  private func presetObjection(to value: Bytes, _ isConfigured: Bool) -> ATTErrorCode? {
    let opcodes: ClosedRange<UInt8> = 0x01...0x0A
    guard let opcode = value.first, opcodes.contains(opcode), ![0x02, 0x03].contains(opcode) else {
      return PresetError.invalidOpcode
    }
    let request: PresetRequest
    do throws(MalformedBytes) {
      request = try PresetRequest(decoding: value)
    } catch {
      return PresetError.invalidLength
    }
    switch request {
    case .read(let first, let count):
      if !isConfigured { return .cccdImproperlyConfigured }
      return first > 0 && count > 0 && presets.contains { $0.index >= first } ? nil : .outOfRange
    case .writeName(let index, _):
      if !isConfigured { return .cccdImproperlyConfigured }
      guard let preset = presets.first(where: { $0.index == index }) else { return .outOfRange }
      return preset.isWritable && features.hasWritableNames ? nil : PresetError.nameNotWritable
    case .activate(let index, let isSynchronised):
      if isSynchronised && !features.synchronisesPresets {
        return PresetError.synchronisationNotSupported
      }
      guard let preset = presets.first(where: { $0.index == index }) else { return .outOfRange }
      return preset.isAvailable ? nil : PresetError.notPossible
    case .activateNext(let isSynchronised), .activatePrevious(let isSynchronised):
      if isSynchronised && !features.synchronisesPresets {
        return PresetError.synchronisationNotSupported
      }
      return presets.contains(where: \.isAvailable) ? nil : PresetError.notPossible
    }
  }

  private func inputObjection(to value: Bytes) -> ATTErrorCode? {
    let lengths: [UInt8: Int] = [0x01: 3, 0x02: 2, 0x03: 2, 0x04: 2, 0x05: 2]
    if let code = counted(value, input.counter, lengths: lengths, { true }) { return code }
    switch value.first {
    case 0x01:
      return inputGain.range.contains(Int8(bitPattern: value.last ?? 0))
        ? nil : ATTErrorCode(rawValue: 0x83)
    case 0x02, 0x03: return input.isMuted == nil ? ATTErrorCode(rawValue: 0x82) : nil
    default: return input.isAutomatic == nil ? ATTErrorCode(rawValue: 0x84) : nil
    }
  }

  /// Checks opcode, length, change counter and range of a value, in this order.
  private func counted(
    _ value: Bytes, _ counter: UInt8, lengths: [UInt8: Int], _ isInRange: () -> Bool
  ) -> ATTErrorCode? {
    guard let length = value.first.flatMap({ lengths[$0] }) else {
      return ATTErrorCode(rawValue: 0x81)
    }
    guard value.count == length else { return .invalidAttributeValueLength }
    guard value.dropFirst().first == counter else { return ATTErrorCode(rawValue: 0x80) }
    return isInRange() ? nil : ATTErrorCode(rawValue: 0x82)
  }

  private static func offset(of value: Bytes) -> Int16 {
    var reader = ByteReader(value.dropFirst(2), of: "volume offset")
    return Int16(bitPattern: (try? reader.uint16()) ?? 0)
  }

  /// Applies an accepted value, and returns the values that change or are indicated, in order.
  mutating func write(
    _ value: Bytes, to type: BluetoothUUID
  ) -> [(type: BluetoothUUID, value: [UInt8])] {
    switch type {
    case .presetControlPoint:
      return (try? PresetRequest(decoding: value)).map { perform($0) } ?? []
    case .offsetControlPoint:
      output.offset = Self.offset(of: value)
      output.counter &+= 1
      return [(.offsetState, output.encoded())]
    case .inputControlPoint:
      switch value.first {
      case 0x01: input.gain = Int8(bitPattern: value.last ?? 0)
      case 0x02, 0x03: input.isMuted = value.first == 0x03
      default: input.mode = value.first == 0x05 ? .automatic : .manual
      }
      input.counter &+= 1
      return [(.inputState, input.encoded())]
    case .microphoneMute:
      microphone.isMuted = value.first == 1
      return [(.microphoneMute, microphone.encoded())]
    default: return []
    }
  }

  private mutating func perform(
    _ request: PresetRequest
  ) -> [(type: BluetoothUUID, value: [UInt8])] {
    switch request {
    case .read(let first, let count):
      guard !withholdsRecords else { return [] }
      let records = presets.filter { $0.index >= first }.prefix(Int(count))
      return records.map { preset in
        let message = PresetMessage.record(preset, isLast: preset.index == records.last?.index)
        return (.presetControlPoint, message.encoded())
      }
    case .writeName(let index, let name):
      guard let place = presets.firstIndex(where: { $0.index == index }) else { return [] }
      presets[place].name = name
      let before = place > 0 ? presets[place - 1].index : 0
      let message = PresetMessage.updated(presets[place], before: before, isLast: true)
      return [(.presetControlPoint, message.encoded())]
    case .activate(let index, _):
      guard !ignoresPresets else { return [] }
      active = index
      return [(.activePreset, [active])]
    case .activateNext: return turn(by: 1)
    case .activatePrevious: return turn(by: -1)
    }
  }

  mutating func turn(by step: Int) -> [(type: BluetoothUUID, value: [UInt8])] {
    let available = presets.filter(\.isAvailable).map(\.index)
    guard !available.isEmpty else { return [] }
    let place = available.firstIndex(of: active) ?? 0
    active = available[((place + step) % available.count + available.count) % available.count]
    return [(.activePreset, [active])]
  }
}

// MARK: In the headphone

extension VirtualHeadphone {
  func objectAsHearingAid(to pdu: Bytes) {
    guard case .hearingAid(let aid)? = family, faults.refusedWrites.isEmpty,
      case .request(.write(let handle, let value))? = try? ATTClientPDU(decoding: pdu),
      let type = server.table.type(at: handle)
    else { return }
    server.refusals[handle] = aid.objection(
      to: value, of: type, isConfigured: server.isConfigured(handle))
  }

  func hearingAidWrote(_ value: Bytes, to type: BluetoothUUID) {
    changeHearingAid { $0.write(value, to: type) }
  }

  /// Presses the hearing aid's own button, which selects the next preset.
  public func pressButton() { changeHearingAid { $0.turn(by: 1) } }

  /// Changes the hearing aid as its own app would, without notifying the phone.
  public func changeQuietly(_ change: @Sendable (inout VirtualHearingAid) -> Void) {
    changeHearingAid {
      change(&$0)
      return []
    }
  }

  /// The current state of the hearing aid, or nil if the headphone is not one.
  public var hearingAid: VirtualHearingAid? {
    if case .hearingAid(let aid)? = family { aid } else { nil }
  }

  /// Indicates any bytes on the preset control point.
  public func indicatePreset(_ bytes: [UInt8]) {
    guard let handle = server.table.handle(of: .presetControlPoint) else { return }
    execute(server.push(bytes[...], of: handle))
  }

  private func changeHearingAid(
    _ change: (inout VirtualHearingAid) -> [(type: BluetoothUUID, value: [UInt8])]
  ) {
    guard case .hearingAid(var aid)? = family else { return }
    let values = change(&aid)
    family = .hearingAid(aid)
    for (type, value) in values {
      guard let handle = server.table.handle(of: type) else { continue }
      // A control point has no stored value.
      if type != .presetControlPoint { server.table.setValue(value, at: handle) }
      execute(server.push(value[...], of: handle))
    }
  }
}
