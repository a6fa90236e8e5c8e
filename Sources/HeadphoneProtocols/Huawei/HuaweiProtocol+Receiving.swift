internal import BluetoothCodec

extension HuaweiProtocol {
  mutating func apply(
    _ frame: HuaweiFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    if let outcome = frame[Self.outcome], outcome != Self.accepted {
      reported.refusal = .refused(.unspecified)
    }
    defer { message.responses = responses(to: frame.command) }
    try apply(frame)
    switch frame.command {
    case Command.noiseChanged where reported.hasNoise:
      message.reply = ask(Command.noise, 1, 2).values.first.map(Array.init)
    case Command.devicesChanged:
      message.reply = ask(Command.devices, 1).values.first.map(Array.init)
    default: break
    }
  }

  /// Returns the answered query, or none until a list of devices is complete and shows the change.
  private func responses(to command: UInt16) -> Set<ResponseID> {
    command == Command.devices && (!devices.isEmpty || reported.isDeviceCommandOpen)
      ? [] : [ResponseID(command)]
  }

  /// Applies the values of a frame; a missing field changes nothing.
  private mutating func apply(_ frame: HuaweiFrame) throws(MalformedBytes) {
    switch frame.command {
    case Command.battery, Command.batteryChanged:
      let levels = Self.batteries(frame)
      hasResponded = hasResponded || !levels.parts.isEmpty
      reported.apply(levels)
    case Command.device:
      firmware = frame[7].map(textFromAir) ?? firmware
      submodel = frame[10].map(textFromAir) ?? submodel
      model = frame[15].map(textFromAir) ?? model
    case Command.noise:
      if let value = frame[1], value.count == 2 { apply(noise: value) }
    // The report does not say which of the two has changed: noise control or wearing. Models
    // without wear detection do not have these fields.
    case Command.noiseChanged:
      guard let left = frame[8]?.first, let right = frame[9]?.first else { break }
      reported.apply(Wearing(left: left == 1, right: right == 1))
    case Command.lid:
      guard let value = frame[1] else { break }
      var reader = ByteReader(value, of: "Huawei lid")
      reported.note(.caseLidChanged(isOpen: try !reader.flag()))
    case Command.pause: try apply(Self.pause, frame[1])
    case Command.lowLatency: try apply(.lowLatency, frame[2])
    case Command.priority:
      guard let number = frame[2]?.first else { break }
      if Int(number) < Self.priorities.count {
        reported.apply(Self.priority, .choice(Self.priorities[Int(number)]))
      } else {
        reported.apply(Self.priority, unnamed: number)
      }
    case Command.multipoint: try apply(.multipoint, frame[1])
    case Command.ringing:
      guard let value = frame[2] else { break }
      var reader = ByteReader(value, of: "Huawei ringing")
      let number = try reader.uint8()
      guard let side = Side(rawValue: number) else {
        return reported.skip("ringing of bud \(number)")
      }
      let others = (reported.ringing ?? []).subtracting(side.asSides)
      reported.apply(ringing: try reader.flag() ? others : others.union(side.asSides))
    case Command.devices: try apply(device: frame)
    case Command.preset: apply(preset: frame)
    default:
      guard let gesture = HuaweiGesture.all.first(where: { $0.question == frame.command }) else {
        if !Self.known.contains(frame.command) {
          reported.skip("message \(hexadecimal(frame.command, width: 4))")
        }
        break
      }
      if let needed = gesture.prerequisite, reported[needed] == nil { break }
      gesture.apply(frame, to: &reported)
    }
  }

  /// The answers to commands, the unprompted hello (0106), and changes of paired devices.
  private static let known: Set<UInt16> = Set(
    [
      0x0106, Command.devicesChanged, Command.setNoise, Command.setPause, Command.setMultipoint,
      Command.setPreset, Command.setRinging, Command.prefer, Command.manage,
    ] + HuaweiGesture.all.map(\.command))

  /// Applies the level and mode of noise control; a command has them in the opposite order.
  private mutating func apply(noise value: Bytes) {
    guard let level = value.first, let raw = value.last else { return }
    guard raw <= 2, let mode = ANCMode(rawValue: raw) else {
      return reported.apply(unnamedMode: raw)
    }
    reported.apply(mode)
    switch mode {
    case .noiseCancelling where Int(level) < Self.strengths.count:
      reported.apply(Self.strength, .choice(Self.strengths[Int(level)]))
    case .noiseCancelling: reported.apply(Self.strength, unnamed: level)
    case .transparency:
      guard let isOn = [true, false].first(where: { Self.awareness($0) == level }) else { break }
      reported.apply(Self.voice, .toggle(isOn))
    default: break
    }
  }

  /// Applies one entry of the list of paired devices; the last entry completes the list.
  ///
  /// | field | meaning |
  /// | --- | --- |
  /// | 2 | number of entries |
  /// | 3 | number of this entry |
  /// | 4 | address, in reading order |
  /// | 5 | 0 not connected, 9 plays, others: connected |
  /// | 7 | 1: preferred |
  /// | 9 | name |
  private mutating func apply(device frame: HuaweiFrame) throws(MalformedBytes) {
    guard let count = frame[2]?.first, let index = frame[3]?.first, index < count,
      let bytes = frame[4], let state = frame[5]?.first
    else { return }
    let address = try BluetoothAddress(inReadingOrder: bytes)
    // An entry whose number was already received begins another list.
    if devices[index] != nil { devices = [:] }
    devices[index] = PairedDevice(
      address, name: frame[9].map(textFromAir), isConnected: state > 0, isPlaying: state == 9,
      isPreferred: frame[7].map { $0.first == 1 })
    guard devices.count >= Int(count) else { return }
    defer { devices = [:] }
    let all = devices.filter { $0.key < count }.sorted { $0.key < $1.key }.map(\.value)
    reported.apply(.pairedDevices(.connect, .disconnect, .prefer, .forget), .pairedDevices(all))
  }

  /// Applies the list of presets and the current one, which is the user's own if it is not listed.
  private mutating func apply(preset frame: HuaweiFrame) {
    presets = frame[3].map(Array.init) ?? presets
    guard let current = frame[2]?.first, !presets.isEmpty else { return }
    let isOwn = !presets.contains(current)
    let names = presets.map(name(ofPreset:)) + (isOwn ? [Self.ownPreset] : [])
    let declaration = SettingDeclaration(.equaliserPreset, .choices(names))
    reported.apply(declaration, .choice(isOwn ? Self.ownPreset : name(ofPreset: current)))
  }

  /// Returns the name of one of the headphone's presets.
  ///
  /// From FreeBuds Pro 3 on, models have other numbers; their list has a 5 and no 3.
  func name(ofPreset id: UInt8) -> String {
    let names: [UInt8: String] =
      switch (presets.contains(3), presets.contains(5)) {
      case (_, false): [1: "default", 2: "bass", 3: "treble", 9: "voice"]
      case (false, true): [5: "default", 1: "bass", 2: "treble", 9: "voice"]
      case (true, true): [9: "voice"]
      }
    return names[id] ?? "preset-\(id)"
  }

  private static var ownPreset: String { "own" }

  private mutating func apply(
    _ declaration: SettingDeclaration, _ value: Bytes?
  ) throws(MalformedBytes) {
    guard let value else { return }
    var reader = ByteReader(value, of: "Huawei \(declaration.id.displayText)")
    reported.apply(declaration, .toggle(try reader.flag()))
  }

  /// Returns the levels of field 2 (left, right, case), or of field 1 for a single battery.
  ///
  /// A bud at 0 % is in the closed case or out of range, and is left out.
  private static func batteries(_ frame: HuaweiFrame) -> BatteryLevels {
    let charging = frame[3].map(Array.init) ?? []
    let parts = frame[2].map(Array.init) ?? frame[1].map { Array($0.prefix(1)) } ?? []
    var levels = BatteryLevels("Huawei battery")
    for (index, part) in Part.allCases.enumerated() where index < parts.count && parts[index] > 0 {
      // Some headphones report values other than 0 and 1, which mean neither.
      let isCharging: Bool? = index < charging.count ? [0: false, 1: true][charging[index]] : nil
      levels.add(part, parts[index], isCharging: isCharging, at: index)
    }
    return levels
  }
}
