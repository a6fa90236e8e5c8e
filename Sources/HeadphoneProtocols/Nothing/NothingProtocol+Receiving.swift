public import BluetoothCodec

extension NothingProtocol {
  /// Returns the frames that `value` completes over RFCOMM, or `value` itself over LE.
  public mutating func messages(in value: Bytes) -> [Bytes] {
    reader?.messages(in: value) ?? [value]
  }

  /// Applies a frame; a malformed one also ends its request, since no second answer follows.
  mutating func apply(
    _ frame: NothingFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    if let operation = operation(of: frame) {
      message.responses = [ResponseID(frame.command, sequence: operation)]
    }
    try apply(frame)
    if isOpen(frame.command) { message.responses = [] }
  }

  private func isOpen(_ answer: UInt16) -> Bool {
    guard let pending, NothingCommand.answers.contains(answer) else { return false }
    switch pending {
    case .setEQ(let requested): return preset != requested.nothing
    case .setCustomEQ where answer == NothingCommand.response(to: NothingCommand.readGains):
      return gains?.gains != requestedGains
    case .setCustomEQ: return preset != EQPreset.custom.nothing
    case .setANCLevel where reported.noise != .noiseCancelling: return true
    case .set(NothingFit.test.id, _): return isTryingFit
    default:
      do { try reported.confirm(pending) } catch { return true }
      return false
    }
  }

  /// Returns the operation of the request that a frame may answer, or nil if it answers none;
  /// answers of Ear (1) and unprompted reports have none of their own.
  private mutating func operation(of frame: NothingFrame) -> UInt8? {
    guard !frame.hasOperation else {
      numbersAnswers = true
      return frame.operation
    }
    return numbersAnswers ? nil : operations[frame.command]
  }

  private mutating func apply(_ frame: NothingFrame) throws(MalformedBytes) {
    var reader = ByteReader(frame.payload, of: "Nothing answer")
    switch frame.command {
    case NothingCommand.response(to: NothingCommand.readBattery), NothingCommand.batteryNews:
      apply(try NothingBattery(decoding: frame.payload))
    case NothingCommand.response(to: NothingCommand.readNoise), NothingCommand.noiseNews:
      try apply(noise: &reader)
    case NothingCommand.response(to: NothingCommand.readEQ): apply(preset: try reader.uint8())
    case NothingCommand.response(to: NothingCommand.readGains):
      let gains = try NothingGains(decoding: frame.payload)
      guard gains != self.gains else { return }
      self.gains = gains
      // The gains have no event of their own, so a known preset is reported again with them.
      if let preset { noteEqualiser(preset) }
    case NothingCommand.response(to: NothingCommand.readInEarDetection):
      try apply(switches: &reader)
    case NothingCommand.response(to: NothingCommand.readGestures):
      try NothingGesture.apply(&reader, to: &reported)
    case NothingCommand.fitNews:
      isTryingFit = false
      try NothingFit.apply(&reader, to: &reported)
    case NothingCommand.response(to: NothingCommand.readFirmware):
      firmware = textFromAir(frame.payload)
    case NothingCommand.response(to: NothingCommand.readSerialNumber):
      serial = NothingSerialNumber(decoding: frame.payload) ?? serial
    case let answer where NothingSetting.all.contains { answer == $0.question & 0x7FFF }:
      apply(frame.payload, to: answer | 0x8000)
    // The acknowledgement of a command.
    case 0x7000...0x7FFF: break
    default: reported.skip("message \(hexadecimal(frame.command, width: 4))")
    }
  }

  private mutating func apply(_ battery: NothingBattery) {
    switch battery.content {
    case .single(let battery):
      isWhole = true
      reported.apply([.left: battery])
    case .parts(let parts):
      isWhole = false
      if !parts.isEmpty { reported.apply(parts) }
    }
    if let mistake = battery.mistake { reported.reject(mistake) }
  }

  /// Applies noise control: a kind, the value and a zero, and on newer models a group of kind 2
  /// with the strength of cancelling, even in other modes.
  private mutating func apply(noise reader: inout ByteReader) throws(MalformedBytes) {
    _ = try reader.uint8()
    let raw = try reader.uint8()
    guard let noise = NothingNoise(rawValue: raw) else {
      reported.apply(unnamedMode: raw)
      return
    }
    reported.apply(noise.mode)
    let rest = reader.rest().dropFirst()
    let strength = rest.first == 2 ? rest.dropFirst().first : nil
    let kept = strength.flatMap(NothingNoise.init(rawValue:))?.level
    if let level = noise.level ?? kept { reported.apply(level: level) }
  }

  private mutating func apply(switches reader: inout ByteReader) throws(MalformedBytes) {
    for _ in 0..<(try reader.uint8()) {
      let key = try reader.uint8()
      guard key == NothingCommand.inEarDetection else {
        _ = try reader.uint8()
        continue
      }
      reported.apply(.wearDetection, .toggle(try reader.flag()))
    }
  }

  private mutating func apply(_ payload: Bytes, to question: UInt16) {
    payloads[question] = Array(payload)
    for setting in NothingSetting.all where setting.question == question {
      let declaration = setting.declaration
      if let value = setting.value(in: payload) {
        reported.apply(declaration, value)
      } else if case .choice = declaration.kind, let number = setting.number(in: payload) {
        reported.apply(declaration, unnamed: number)
      } else if case .toggle = declaration.kind {
        let raw = setting.number(in: payload) ?? 0
        reported.reject(MalformedBytes("Nothing switch", at: 0, .badValue(UInt64(raw))))
      } else {
        // The levels of some models use another scale.
        reported.withdraw(declaration.id)
      }
    }
  }

  private mutating func apply(preset number: UInt8) {
    guard number != preset else { return }
    preset = number
    noteEqualiser(number)
  }

  /// Adds an event for the preset, by name or number, and the gains; on models with a listening
  /// mode, the preset of the equaliser has no meaning.
  private mutating func noteEqualiser(_ number: UInt8) {
    guard !hasListeningMode else { return }
    guard let preset = EQPreset(nothing: number) else {
      if let gains { reported.note(.eqChanged(.custom, bands: gains.gains)) }
      let name = EQPreset.shownAlone[number] ?? "\(number)"
      reported.note(.settingChanged(.equaliserPreset, .choice(name)))
      return
    }
    reported.note(.eqChanged(preset, bands: gains?.gains))
  }
}
