internal import BluetoothCodec

extension SonyProtocol {
  /// Ends a command by comparing its value with the reported one.
  ///
  /// Volume and bands are reported again, as the headphone may have rounded them to coarser steps.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    awaitedReport = nil
    if case .set(let id, let value) = command, let now = reported[id], now != value,
      reported.refusal == nil, let declaration = reported.capabilities.declaration(of: id)
    {
      ignored[id, default: []].insert(value)
      reported.apply(offered(declaration), now)
      throw .badArgument("the headphone keeps \"\(declaration.displayText(for: now))\"")
    }
    try reported.confirm(command)
    switch command {
    case .setVolume: return reported.volume.map { [.volumeChanged($0)] } ?? []
    case .setCustomEQ: return reported.equaliser.map { [.eqChanged(.custom, bands: $0)] } ?? []
    default: return []
    }
  }

  /// Applies a frame; each command is acknowledged, even an unknown one.
  mutating func apply(
    _ frame: SonyFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    guard frame.kind != .acknowledgement else {
      sequence = frame.sequence
      isAcknowledged = true
      message.responses = [Self.acknowledged]
      return
    }
    if frame.kind.wantsAcknowledgement {
      message.reply = SonyFrame(.acknowledgement, sequence: 1 - frame.sequence).encoded()
    }
    let isInSecondTable = frame.kind == .secondCommand || frame.kind == .secondShot
    guard isInSecondTable || frame.kind == .command || frame.kind == .shot,
      frame.payload.count > 1
    else { return }
    if isInSecondTable {
      try apply(second: frame.payload)
    } else if let alert = SonyAlert(frame.payload), let awaited = awaitedReport {
      (reported.refusal, awaitedReport) = (alert.refusal, nil)
      message.responses = [awaited]
      message.reply = (message.reply ?? []) + framed(alert.no[...])
      return
    } else {
      try apply(frame.payload)
    }
    let bytes = Array(frame.payload.prefix(2))
    let isOther =
      isInSecondTable
      ? bytes[0] == SonyDevices.question + 1 && reported.isDeviceCommandOpen
      : bytes[0] == 0x69 && !isShown(command)
    if isAcknowledged && !isOther {
      message.responses = [Self.response(bytes[0], bytes[1], inSecondTable: isInSecondTable)]
    }
  }

  /// Returns whether the reports show the pending command's values, or no command is pending.
  ///
  /// The report of the previous command may be late; if the value was already set, the
  /// acknowledgement alone ends the command.
  private func isShown(_ command: HeadphoneCommand?) -> Bool {
    guard let command else { return true }
    do throws(HeadphoneError) {
      try reported.confirm(command)
      return true
    } catch {
      return false
    }
  }

  private mutating func apply(_ payload: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(payload, of: "Sony payload")
    let command = try reader.uint8()
    switch (command, generation) {
    case (0x01, _):
      if try reader.uint8() == 0 { functions.adopt(start: payload) }
    case (0x05, _):
      let type = try reader.uint8()
      let text = textFromAir(try reader.read(Int(try reader.uint8())))
      if type == 0x01 { model = text }
      if type == 0x02 { firmware = text }
    case (0x07, .some): try functions.adopt(list: &reader)
    case (0x61, .first): steps = SonyNoise.steps(payload)
    case (0xD1, .some(let generation)): try functions.adopt(general: &reader, generation)
    case (SonyTalk.question + 1, .some(let generation)),
      (SonyTalk.question + 3, .some(let generation)):
      // Messages with another type have another subject.
      guard payload.dropFirst().first == SonyTalk.type(generation) else { return }
      let parsed = try SonyTalk(&reader, generation)
      talk = parsed
      for (declaration, value) in parsed.settings { reported.apply(declaration, value) }
      if let mistake = parsed.mistake { reported.reject(mistake) }
    case (0xF7, .some(let generation))
    where payload.dropFirst().first == SonyTouch.type(generation),
      (0xF9, .some(let generation)) where payload.dropFirst().first == SonyTouch.type(generation):
      _ = try reader.uint8()
      touch = try SonyTouch(&reader, noise: &touchNoise) ?? touch
      for (declaration, value) in touch?.settings ?? [] { reported.apply(declaration, value) }
    case (0x11, .first), (0x13, .first), (0x23, .second), (0x25, .second):
      try apply(battery: &reader)
    case (0x19, .first), (0x1B, .first), (0x13, .second), (0x15, .second):
      try apply(codec: &reader)
    case (0x55, .second):
      if try reader.uint8() == equaliserType { equaliserLock = try Self.lock(&reader) }
    case (0x57, .some), (0x59, .some): try apply(equaliser: &reader)
    case (0x67, .some), (0x69, .some):
      let message = payload.dropFirst()
      // The message may have another layout than requested, or be the cycle of the button.
      guard let layout = SonyNoise.Layout(rawValue: try reader.uint8()),
        (layout == .first) == (generation == .first), noise == nil || noise?.layout == layout
      else { return try apply(setting: payload) }
      apply(try SonyNoise(decoding: message))
    case (0xA7, .some), (0xA9, .some): try apply(volume: &reader)
    case (0xF3, .second), (0xF5, .second):
      guard try reader.uint8() == 0x10, let last = payload.last else { return }
      reported.apply(Wearing(left: last == 0, right: last == 0))
    default: try apply(setting: payload)
    }
  }

  private mutating func apply(second payload: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(payload, of: "Sony payload of table 2")
    switch (try reader.uint8(), generation) {
    case (0x07, .second): try functions.adopt(secondList: &reader)
    case (SonyDevices.question + 1, .second), (SonyDevices.question + 3, .second):
      let type = try reader.uint8()
      guard type == SonyDevices.type(by: functions.second) else { return }
      let devices = try SonyDevices.list(&reader, type: type)
      reported.apply(SonyDevices.declaration(by: functions.second), .pairedDevices(devices))
    case (SonyDevices.outcome, .second):
      reported.refusal = SonyDevices.refusal(payload) ?? reported.refusal
    default: try apply(setting: payload, inSecondTable: true)
    }
  }

  /// Applies battery levels: a type, then level and charging state of each part.
  ///
  /// | type | parts |
  /// | --- | --- |
  /// | 00, 08 | one device |
  /// | 01, 09 | left and right; the level of a bud without a connection is 0 |
  /// | 02, 0A | case |
  private mutating func apply(battery reader: inout ByteReader) throws(MalformedBytes) {
    let type = try reader.uint8()
    let parts: [Part]
    switch type {
    case 0x00, 0x08: parts = [.left]
    case 0x01, 0x09: parts = [.left, .right]
    case 0x02, 0x0A: parts = [.case]
    default: return reported.skip("battery \(hexadecimal(type, width: 2))")
    }
    var levels = BatteryLevels("Sony battery")
    for part in parts {
      let level = try reader.uint8()
      let charging = try reader.uint8()
      guard level > 0 || type == 0x00 || type == 0x08 else { continue }
      levels.add(
        part, level, isCharging: [0: false, 1: true, 3: false][charging], at: reader.offset - 2)
    }
    reported.apply(levels)
  }

  private mutating func apply(_ noise: SonyNoise) {
    self.noise = noise
    if let mode = noise.mode { reported.apply(mode) }
    if let level = noise.level, noise.mode == .transparency || level > 0 {
      self.level = level
      reported.apply(level: level)
    }
    if let isOn = noise.focusesOnVoice { reported.apply(Self.voice, .toggle(isOn)) }
    if let isOn = noise.reducesWind { reported.apply(Self.wind, .toggle(isOn)) }
    if let isOn = noise.adapts { reported.apply(Self.adapts, .toggle(isOn)) }
    if let index = noise.sensitivity {
      let isNamed = index < Self.sensitivities.count
      reported.apply(
        Self.sensitivity, .choice(isNamed ? Self.sensitivities[Int(index)] : "\(index)"))
    }
    if let mistake = noise.mistake { reported.reject(mistake) }
  }

  private mutating func apply(equaliser reader: inout ByteReader) throws(MalformedBytes) {
    guard [0x00, 0x01, 0x04].contains(try reader.uint8()) else { return }
    var parsed = try SonyEqualiser(decoding: reader.rest())
    if parsed.bands.isEmpty {
      parsed.bands = equaliser?.bands ?? []
    } else {
      reported.apply(.custom, parsed.gains)
    }
    equaliser = parsed
    if let mistake = parsed.mistake { reported.reject(mistake) }
    if let step = parsed.clearBass { reported.apply(Self.clearBass, .level(step)) }
    if let name = parsed.name {
      reported.apply(parsed.declaration, .choice(name))
    } else {
      reported.apply(parsed.declaration, unnamed: parsed.preset)
    }
  }

  /// Decodes a flag and a list of reasons, and returns why the equaliser cannot be set, or nil if
  /// it can.
  private static func lock(_ reader: inout ByteReader) throws(MalformedBytes) -> String? {
    guard try reader.flag() else { return nil }
    let reasons = try reader.read(Int(try reader.uint8())).compactMap { reason in
      let words: [UInt8: String] = [
        0: "during a call", 1: "in its demonstration", 2: "while a listening mode is on",
      ]
      return words[reason]
    }
    return "the headphone's equaliser cannot be set "
      + (reasons.isEmpty ? "now" : reasons.joined(separator: " or "))
  }

  private mutating func apply(volume reader: inout ByteReader) throws(MalformedBytes) {
    if generation == .first, try reader.uint8() != 0x01 { return }
    guard try reader.uint8() == 0x20 else { return }
    reported.apply(Self.volume(try reader.uint8(in: 0...UInt8(Self.mostVolume))))
  }

  private mutating func apply(codec reader: inout ByteReader) throws(MalformedBytes) {
    let type = try reader.uint8()
    guard type == (generation == .first ? 0x00 : 0x02) else { return }
    let names: [UInt8: String] = [
      0x01: "SBC", 0x02: "AAC", 0x10: "LDAC", 0x20: "aptX", 0x21: "aptX HD",
    ]
    let number = try reader.uint8()
    reported.apply(
      Self.codec, .text(names[number] ?? "codec 0x\(hexadecimal(number, width: 2))"))
  }

  private mutating func apply(
    setting payload: Bytes, inSecondTable: Bool = false
  ) throws(MalformedBytes) {
    let (command, type) = (payload.first ?? 0, payload.dropFirst().first ?? 0)
    guard
      let setting = functions.settings.first(where: { setting in
        setting.isInSecondTable == inSecondTable && type == setting.type
          && (command == setting.command &+ 1 || command == setting.command &+ 3)
      })
    else {
      let head = hexadecimal(payload.prefix(2))
      return reported.skip("message \(head)" + (inSecondTable ? " of table 2" : ""))
    }
    guard let bytes = setting.bytes(in: payload) else {
      return reported.skip("message \(hexadecimal(payload.prefix(3)))")
    }
    if let value = setting.value(of: bytes) {
      reported.apply(offered(setting.declaration), value)
    } else if case .choice = setting.declaration.kind, let number = bytes.first {
      reported.apply(setting.declaration, unnamed: number)
    } else {
      throw MalformedBytes(
        "Sony \(setting.declaration.id.displayText)", at: 2, .badValue(UInt64(payload.last ?? 0)))
    }
  }

  static let sensitivities = ["standard", "high", "low"]
  static let voice = SettingDeclaration(.focusOnVoice)
  static let wind = SettingDeclaration("wind-reduction")
  static let adapts = SettingDeclaration("adaptive-ambient")
  static let sensitivity = SettingDeclaration(
    "adaptive-sensitivity", .choices(["low", "standard", "high"]))
  static let clearBass = SettingDeclaration("clear-bass", .level(SettingRange(-10...10)))
  static let codec = SettingDeclaration("codec", .reading)
}
