internal import BluetoothCodec

extension OppoProtocol {
  mutating func applyReport(
    _ command: UInt16, _ payload: inout ByteReader
  ) throws(MalformedBytes) {
    switch command {
    case Command.event:
      switch try payload.uint8() {
      case 1: reported.apply(try Self.batteries(&payload))
      case 2: try applyWearing(&payload)
      case 3: try applyNoise(&payload)
      case Self.devicesEvent: break
      case let event: reported.skip("event \(hexadecimal(event, width: 2))")
      }
    case Command.switchesChanged: try applySwitches(&payload)
    case Command.presetChanged: apply(preset: try payload.uint8())
    case Command.devicesChanged where reported.pairedDevices != nil: try applyDevices(&payload)
    case Command.devicesChanged: break
    default: skip(command)
    }
  }

  mutating func applyAnswer(
    _ command: UInt16, _ payload: inout ByteReader
  ) throws(MalformedBytes) {
    switch command {
    case Command.product:
      let bytes = try payload.read(3)
      number = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    case Command.firmware:
      _ = try payload.uint8()
      firmware = Self.firmware(textFromAir(payload.rest())) ?? firmware
    case Command.battery: reported.apply(try Self.batteries(&payload))
    case Command.wearing: try applyWearing(&payload)
    case Command.noise: try applyNoise(&payload)
    case Command.preset: apply(preset: try payload.uint8())
    case Command.switches: try applySwitches(&payload)
    case Command.devices: try applyDevices(&payload)
    case Command.events: events = Array(try payload.read(Int(try payload.uint8())))
    case Command.bass:
      let (least, most, gain) = (try payload.int8(), try payload.int8(), try payload.int8())
      guard least < most, (least...most).contains(gain) else {
        throw payload.malformed(.badValue(UInt64(UInt8(bitPattern: gain))))
      }
      let declaration = SettingDeclaration(
        Self.bass, .level(SettingRange(Int(least)...Int(most))))
      reported.apply(declaration, .level(Int(gain)))
    case Command.handshake, Command.register, Command.setSwitch, Command.setNoise,
      Command.setPreset, Command.setBass:
      break
    default: skip(command | OppoFrame.responseBit)
    }
  }

  private mutating func skip(_ command: UInt16) {
    reported.skip("message \(hexadecimal(command, width: 4))")
  }

  private mutating func apply(preset number: UInt8) {
    let declaration = SettingDeclaration(
      .equaliserPreset, .choices(presets.sorted { $0.key < $1.key }.map(\.value)))
    if let name = presets[number] {
      reported.apply(declaration, .choice(name))
    } else {
      reported.apply(declaration, unnamed: number)
    }
  }

  /// Applies switches, each a number and a flag; one that is reported alone has another byte after
  /// its flag.
  private mutating func applySwitches(_ payload: inout ByteReader) throws(MalformedBytes) {
    for _ in 0..<(try payload.uint8()) {
      let number = try payload.uint8()
      let raw = try payload.uint8()
      // Only a product that has the newer game mode switch reports it.
      if number == product?.game { game = number }
      guard let declaration = switches.first(where: { $0.number == number })?.declaration,
        declaration.id != Self.gameMode || number == game
      else { continue }
      if raw <= 1 {
        reported.apply(declaration, .toggle(raw == 1))
      } else {
        reported.reject(payload.impossible(raw))
      }
    }
  }

  private mutating func applyDevices(_ payload: inout ByteReader) throws(MalformedBytes) {
    var devices: [PairedDevice] = []
    for _ in 0..<(try payload.uint8()) {
      let address = try payload.address()
      var device = ByteReader(try payload.read(Int(try payload.uint8())), of: "Oppo paired device")
      let state = try device.uint8()
      let flags = try device.uint8()
      let name = try device.read(Int(try device.uint8())).prefix { $0 != 0 }
      devices.append(
        PairedDevice(
          address, name: textFromAir(name), isConnected: state == 2, isPlaying: flags & 0x04 != 0))
    }
    reported.apply(.pairedDevices(), .pairedDevices(devices))
  }

  /// Reads battery levels.
  ///
  /// | offset | size | field | meaning |
  /// | --- | --- | --- | --- |
  /// | 0 | 1 | count | number of parts, in any order |
  /// | 1 | 1 | part | 1 left, 2 right, 3 case |
  /// | 2 | 1 | level | %; bit 7: charging |
  ///
  /// A case at 0 % is left out, because a case reports no level unless a bud is in it.
  private static func batteries(
    _ payload: inout ByteReader
  ) throws(MalformedBytes) -> BatteryLevels {
    var levels = BatteryLevels("Oppo battery")
    for _ in 0..<(try payload.uint8()) {
      let number = try payload.uint8()
      let raw = try payload.uint8()
      guard let part = number > 0 ? Part(rawValue: number - 1) : nil, part != .case || raw != 0
      else { continue }
      levels.add(part, withChargingBit: raw, at: payload.offset - 1)
    }
    return levels
  }

  /// Applies which buds are worn.
  ///
  /// | offset | size | field | meaning |
  /// | --- | --- | --- | --- |
  /// | 0 | 1 | count | number of parts |
  /// | 1 | 1 | part | 1 left, 2 right, 3 case |
  /// | 2 | 1 | state | 0 no link, 4 in the case, 1 or 5 out of the ear, 3 or 7 worn |
  ///
  /// A product without the switch for wear detection may have no sensor and report worn buds as out
  /// of the ear, so its states are skipped.
  private mutating func applyWearing(_ payload: inout ByteReader) throws(MalformedBytes) {
    var worn: [UInt8: Bool] = [:]
    for _ in 0..<(try payload.uint8()) {
      let part = try payload.uint8()
      worn[part] =
        switch try payload.uint8() {
        case 1, 4, 5: false
        case 3, 7: true
        default: nil
        }
    }
    guard reported[SettingID.wearDetection] != nil else { return }
    reported.apply(Wearing(left: worn[1], right: worn[2]))
  }

  /// Applies noise control: the byte 1, an ignored byte, and one or two bytes of the product's
  /// value, an unknown one of which is reported by the number of its bit.
  private mutating func applyNoise(_ payload: inout ByteReader) throws(MalformedBytes) {
    guard try payload.uint8() == 1 else { return }
    _ = try payload.uint8()
    let low = try payload.uint8()
    let raw = UInt16(low) | (payload.isAtEnd ? 0 : UInt16(try payload.uint8()) << 8)
    guard let noise else { return }
    guard let value = noise.values.first(where: { $0.report == raw }) else {
      guard raw.nonzeroBitCount == 1 else {
        throw payload.malformed(.badValue(UInt64(raw)), at: 2)
      }
      return reported.apply(unnamedMode: UInt8(clamping: raw.trailingZeroBitCount))
    }
    reported.apply(value.mode)
    guard let strength = value.strength else { return }
    let declaration = SettingDeclaration(Self.strength, .choices(noise.strengths))
    reported.apply(declaration, .choice(strength))
  }

  /// Returns the version of the first part of "part,kind,version,…" whose kind is 2, or nil.
  private static func firmware(_ text: String) -> String? {
    let words = text.split(separator: ",")
    return stride(from: 0, to: words.count - 2, by: 3).first { words[$0 + 1] == "2" }
      .map { String(words[$0 + 2]) }
  }

  static let strength: SettingID = "cancelling-strength"
  static let bass: SettingID = "bass"
  private static let gameMode: SettingID = "game-mode"

  var presets: [UInt8: String] { product?.presets ?? OppoProduct.usualPresets }

  var switches: [(number: UInt8, declaration: SettingDeclaration)] {
    [(product?.game ?? Self.usualGame, Self.game), (Self.usualGame, Self.game)] + Self.switches
  }

  func number(of id: SettingID) -> UInt8? {
    id == Self.gameMode ? game : switches.first { $0.declaration.id == id }?.number
  }

  private static let switches: [(number: UInt8, declaration: SettingDeclaration)] = [
    (0x04, .wearDetection), (0x11, .multipoint), (0x08, SettingDeclaration("auto-answer")),
    (0x09, SettingDeclaration("louder")), (0x18, SettingDeclaration("high-resolution-codec")),
    (0x1A, SettingDeclaration("wind-reduction")), (0x1B, SettingDeclaration("spatial-sound")),
    (0x1D, SettingDeclaration("dynamic-bass")),
  ]
  private static let game = SettingDeclaration(gameMode)
}
