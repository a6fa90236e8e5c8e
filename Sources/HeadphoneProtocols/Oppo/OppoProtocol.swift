public import BluetoothCodec

/// The protocol of Oppo's Enco, Realme's and OnePlus's Buds over RFCOMM.
///
/// What a number means depends on the product, which is asked first: noise control of a product
/// without a table (`OppoNoise`) is neither shown nor ordered.
///
/// | command | payload of the answer, after its result | becomes |
/// | --- | --- | --- |
/// | 0100 | bits | nothing; it opens the conversation |
/// | 0103 | product, 3 bytes LE | recognition |
/// | 0105 | text "part,kind,version,…" | firmware |
/// | 0106 | count, then part and level each | batteries |
/// | 0109 | count, then part and state each | wearing, of a product with the switch for it |
/// | 010C | 1, 1, value LE16 | noise control |
/// | 010D | count, then number and flag each | wear detection, switches |
/// | 010F | preset | setting `equaliser-preset` |
/// | 0112 | count, then devices | paired devices, of a product with the switch for two connections |
/// | 0124 | lowest, highest, present gain, signed | setting `bass` |
/// | 0204 | event's number, then as above | the same, unprompted; 6: the devices are asked for |
/// | 0503 | count, then number and flag each | switches, unprompted |
/// | 0512 | count, then devices | paired devices, unprompted |
///
/// Devices:
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 6 | address | low byte first |
/// | 6 | 1 | length | bytes that follow |
/// | 7 | 1 | state | 0 not connected, 1 about to be, 2 connected |
/// | 8 | 1 | flags | bit 2: it plays |
/// | 9 | 1 + n | name | its length n, then UTF-8, which may end in zeros |
///
/// Their layout is that of three projects, of which each has another command for them: they are
/// read only. Of the other flags, one is the device that the headphone prefers in one project, and
/// the one that plays in another.
///
/// Recorded from Enco Air3 Pro and Realme Buds Air 7 but for firmware, which is from another
/// project's tests, and commands for the preset, which are published.
///
/// ```swift
/// var oppo = OppoProtocol(on: OppoProtocol.service)
/// oppo.questions()  // the handshake and the product
/// for frame in oppo.messages(in: piece) { oppo.receive(frame) }
/// oppo.isRecognised  // true: the product is known
/// ```
public struct OppoProtocol: PlainFramedProtocol {
  public typealias Frame = OppoFrame

  public static let name = "Oppo / Realme / OnePlus"

  /// 0000079A-D102-11E1-9B23-00025B00A5A5.
  public static let service = BluetoothUUID(
    high: 0x0000_079A_D102_11E1, low: 0x9B23_0002_5B00_A5A5)

  /// Commands by their published numbers.
  private enum Command {
    static let handshake: UInt16 = 0x0100
    static let product: UInt16 = 0x0103
    static let firmware: UInt16 = 0x0105
    static let battery: UInt16 = 0x0106
    static let wearing: UInt16 = 0x0109
    static let noise: UInt16 = 0x010C
    static let switches: UInt16 = 0x010D
    static let preset: UInt16 = 0x010F
    static let devices: UInt16 = 0x0112
    static let bass: UInt16 = 0x0124
    static let event: UInt16 = 0x0204
    static let register: UInt16 = 0x0205
    static let setSwitch: UInt16 = 0x0403
    static let setNoise: UInt16 = 0x0404
    static let setPreset: UInt16 = 0x0406
    static let setBass: UInt16 = 0x041B
    static let switchesChanged: UInt16 = 0x0503
    static let devicesChanged: UInt16 = 0x0512
  }

  /// The events to register for: a count, then battery, wearing, noise control, paired devices,
  /// touch.
  private static let events: Bytes = [0x05, 0x01, 0x02, 0x03, devicesEvent, 0xF1]
  private static let devicesEvent: UInt8 = 0x06
  /// Sequence numbers go from 1 to this one, and begin again.
  private static let lastSequence: UInt8 = 250
  /// The number of the question that follows from an event, which no exchange has.
  private static let replySequence: UInt8 = 251

  var reader = FrameReader(OppoFrame.format)
  private(set) var reported = ReportedValues()
  private var product: UInt32?
  private var firmware: String?
  private var sequence: UInt8 = 0
  private var hasAskedFeatures = false
  private var hasAskedDevices = false

  init() {}

  /// Whether the headphone has reported its product.
  public var isRecognised: Bool { product != nil }

  /// The product's table; nil: not known.
  private var noise: OppoNoise? { product.flatMap { OppoNoise(product: $0) } }

  /// By the product's table.
  var ancModes: [ANCMode] {
    ANCMode.allCases.filter { mode in noise?.values.contains { $0.mode == mode } == true }
  }

  /// The firmware; neither maker nor model is reported.
  public var information: DeviceInformation { DeviceInformation(firmware: firmware) }

  // MARK: Asking

  /// Asks for the handshake and the product, and forgets what was reported before.
  public mutating func questions() -> [Exchange] {
    (reported, product) = (ReportedValues(), nil)
    (hasAskedFeatures, hasAskedDevices) = (false, false)
    return [ask(Command.handshake), ask(Command.product)]
  }

  /// Registers for events and asks for the features, once, and for the paired devices of a product
  /// that has the switch for two connections.
  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised else { return [] }
    if hasAskedFeatures {
      guard reported[.multipoint] != nil, !hasAskedDevices else { return [] }
      hasAskedDevices = true
      return [ask(Command.devices)]
    }
    hasAskedFeatures = true
    let always = [
      ask(Command.firmware), ask(Command.register, Self.events), ask(Command.battery),
      ask(Command.preset), ask(Command.switches, [1, 0x04]),
      ask(Command.switches, Self.list(Self.switches.map(\.number).filter { $0 != 0x04 })),
      ask(Command.bass), ask(Command.wearing),
    ]
    return always + (noise == nil ? [] : [ask(Command.noise, [1, 1])])
  }

  /// Bytes with their count in front.
  private static func list(_ bytes: [UInt8]) -> Bytes { [UInt8(clamping: bytes.count)] + bytes }

  /// A question or command with the next sequence number.
  private mutating func ask(_ command: UInt16, _ payload: Bytes = []) -> Exchange {
    sequence = sequence == Self.lastSequence ? 1 : sequence + 1
    return Exchange(
      OppoFrame(command, sequence: sequence, payload: payload).encoded(),
      response: ResponseID(command, sequence: sequence))
  }

  /// The exchanges that carry a command out: the command, and behind it the question that reads the
  /// value back.
  ///
  /// - Throws: `unsupported` for what the product's table or the reports do not have.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    reported.refusal = nil
    switch command {
    case .setANC(let mode) where capabilities.ancModes.contains(mode):
      // Keeps the present strength, or takes the first.
      let values = noise?.values.filter { $0.mode == mode } ?? []
      let kept = values.first { $0.strength.map { .choice($0) } == reported[Self.strength.id] }
      guard let value = kept ?? values.first else { break }
      return request(value)
    case .setANC(let mode): throw .noMode(mode)
    case .set(Self.strength.id, .choice(let name)) where reported[Self.strength.id] != nil:
      guard let value = noise?.values.first(where: { $0.strength == name }) else { break }
      return request(value)
    case .set(.equaliserPreset, .choice(let name)) where reported[.equaliserPreset] != nil:
      guard let number = Self.presets.firstIndex(of: name) else { break }
      return [ask(Command.setPreset, [UInt8(number)]), ask(Command.preset)]
    case .set(Self.bass, .level(let gain)) where reported[Self.bass] != nil:
      guard reported.capabilities.declaration(of: Self.bass)?.accepts(.level(gain)) == true,
        let gain = Int8(exactly: gain)
      else { break }
      return [ask(Command.setBass, [UInt8(bitPattern: gain)]), ask(Command.bass)]
    case .pairedDevice(let action, let address):
      // It has no action, which is what this says.
      try reported.begin(action, address)
    case .set(let id, .toggle(let isOn)) where reported[id] != nil:
      guard let number = Self.switches.first(where: { $0.declaration.id == id })?.number else {
        break
      }
      return [
        ask(Command.setSwitch, [number, isOn ? 1 : 0]), ask(Command.switches, [1, number]),
      ]
    default: break
    }
    throw Self.unsupported
  }

  /// The command for a state of noise control, and the question for it.
  private mutating func request(_ value: OppoNoise.Value) -> [Exchange] {
    [ask(Command.setNoise, ([1, 1] + value.command)[...]), ask(Command.noise, [1, 1])]
  }

  // MARK: Receiving

  /// The question for the paired devices, where an event says that they have changed.
  func reply(to frame: OppoFrame) -> [UInt8]? {
    guard frame.command == Command.event, frame.payload.first == Self.devicesEvent,
      reported.pairedDevices != nil
    else { return nil }
    return OppoFrame(Command.devices, sequence: Self.replySequence).encoded()
  }

  /// Takes one frame; a command that is not known is skipped.
  ///
  /// A result other than 0 answers the exchange and changes nothing.
  mutating func events(
    of frame: OppoFrame, response: inout ResponseID?
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    var payload = ByteReader(frame.payload, of: "Oppo answer")
    guard frame.command & OppoFrame.responseBit != 0 else {
      switch frame.command {
      case Command.event: return try events(of: &payload)
      case Command.switchesChanged: return try parse(switches: &payload)
      case Command.devicesChanged where reported.pairedDevices != nil:
        return try parse(devices: &payload)
      default: return []
      }
    }
    let command = frame.command & ~OppoFrame.responseBit
    response = ResponseID(command, sequence: frame.sequence)
    guard try payload.uint8() == 0 else {
      reported.refusal = .refused(.unspecified)
      return []
    }
    return try events(of: command, &payload)
  }

  /// The changes that an answer brings.
  private mutating func events(
    of command: UInt16, _ payload: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    switch command {
    case Command.product:
      let bytes = try payload.read(3)
      product = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    case Command.firmware:
      _ = try payload.uint8()
      firmware = Self.firmware(textFromAir(payload.rest())) ?? firmware
    case Command.battery: return reported.apply(try Self.batteries(&payload))
    case Command.wearing: return try parse(wearing: &payload)
    case Command.noise: return try parse(noise: &payload)
    case Command.preset:
      let number = Int(try payload.uint8())
      // A preset without a name here is not reported.
      guard number < Self.presets.count else { break }
      return reported.apply(Self.preset, .choice(Self.presets[number]))
    case Command.switches: return try parse(switches: &payload)
    case Command.devices: return try parse(devices: &payload)
    case Command.bass:
      let (least, most, gain) = (try payload.int8(), try payload.int8(), try payload.int8())
      guard least < most, (least...most).contains(gain) else {
        throw payload.malformed(.badValue(UInt64(UInt8(bitPattern: gain))))
      }
      let declaration = SettingDeclaration(
        Self.bass, .level(SettingRange(Int(least)...Int(most))), title: "Bass", label: "Bass",
        group: .sound)
      return reported.apply(declaration, .level(Int(gain)))
    default: break
    }
    return []
  }

  /// The changes that an event (0204) brings: 1 battery, 2 wearing, 3 noise control; others are
  /// skipped.
  private mutating func events(
    of payload: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    switch try payload.uint8() {
    case 1: return reported.apply(try Self.batteries(&payload))
    case 2: return try parse(wearing: &payload)
    case 3: return try parse(noise: &payload)
    default: return []
    }
  }

  /// Takes switches, each a number and a flag; those without a name here are skipped.
  private mutating func parse(
    switches payload: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    var events: [HeadphoneEvent] = []
    for _ in 0..<(try payload.uint8()) {
      let number = try payload.uint8()
      let raw = try payload.uint8()
      guard let declaration = Self.switches.first(where: { $0.number == number })?.declaration
      else { continue }
      guard raw <= 1 else { throw payload.impossible(raw) }
      events += reported.apply(declaration, .toggle(raw == 1))
    }
    return events
  }

  /// Reads the paired devices.
  private mutating func parse(
    devices payload: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
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
    return reported.apply(.pairedDevices(), .pairedDevices(devices))
  }

  /// Reads battery levels.
  ///
  /// | offset | size | field | meaning |
  /// | --- | --- | --- | --- |
  /// | 0 | 1 | count | parts that follow |
  /// | 1 | 1 | part | 1 left, 2 right, 3 case |
  /// | 2 | 1 | level | %; bit 7: it charges |
  ///
  /// A case at 0 is left out: with no bud in it, it reports nothing.
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

  /// Reads which buds are worn.
  ///
  /// | offset | size | field | meaning |
  /// | --- | --- | --- | --- |
  /// | 0 | 1 | count | parts that follow |
  /// | 1 | 1 | part | 1 left, 2 right, 3 case |
  /// | 2 | 1 | state | 0 no link, 4 in the case, 1 or 5 out of the ear, 3 or 7 worn |
  ///
  /// A product without the switch for wear detection may have no sensor, and report buds in an ear as
  /// out of it, so its states are skipped. Of other states, and of a bud without a link, nothing is
  /// known.
  private mutating func parse(
    wearing payload: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
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
    guard reported[SettingID.wearDetection] != nil else { return [] }
    return reported.apply(Wearing(left: worn[1], right: worn[2]))
  }

  /// Reads noise control: 1, a byte that is not read, and one or two bytes of the product's value.
  ///
  /// A value that the table lacks is malformed, so that no wrong mode is shown.
  private mutating func parse(
    noise payload: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard try payload.uint8() == 1 else { return [] }
    _ = try payload.uint8()
    let low = try payload.uint8()
    let raw = UInt16(low) | (payload.isAtEnd ? 0 : UInt16(try payload.uint8()) << 8)
    guard let noise else { return [] }
    guard let value = noise.values.first(where: { $0.report == raw }) else {
      throw payload.malformed(.badValue(UInt64(raw)), at: 2)
    }
    return reported.apply(value.mode)
      + (value.strength.map { reported.apply(Self.strength, .choice($0)) } ?? [])
  }

  /// The version of the first part of "part,kind,version,…" whose kind is 2, the firmware.
  private static func firmware(_ text: String) -> String? {
    let words = text.split(separator: ",")
    return stride(from: 0, to: words.count - 2, by: 3).first { words[$0 + 1] == "2" }
      .map { String(words[$0 + 2]) }
  }

  // MARK: Settings

  private static let bass: SettingID = "bass"
  /// The switches by their number; those that a product does not have it does not report.
  private static let switches: [(number: UInt8, declaration: SettingDeclaration)] = [
    (0x04, .wearDetection), (0x11, .multipoint),
    (0x06, toggle("game-mode", "Game mode", "Game", .sound)),
    (0x08, toggle("auto-answer", "Automatic call answer", "Answer", .device)),
    (0x09, toggle("louder", "Louder", "Louder", .sound)),
    (0x18, toggle("high-resolution-codec", "High-resolution codec", "Hi-Res", .sound)),
    (0x1A, toggle("wind-reduction", "Wind noise reduction", "Wind", .noise)),
    (0x1B, toggle("spatial-sound", "Spatial sound", "Spatial", .sound)),
    (0x1D, toggle("dynamic-bass", "Dynamic bass", "Dynamic", .sound)),
  ]

  private static func toggle(
    _ id: SettingID, _ title: String, _ label: String, _ group: SettingDeclaration.Group
  ) -> SettingDeclaration {
    SettingDeclaration(id, .toggle, title: title, label: label, group: group)
  }

  private static let strength = SettingDeclaration(
    "cancelling-strength", SettingDeclaration.choices(OppoNoise.strengths),
    title: "Cancelling strength", label: "Depth", group: .noise)
  /// The equaliser's presets by their number.
  private static let presets = ["original", "bass", "vocal", "clear-bass"]
  private static let preset = SettingDeclaration(
    .equaliserPreset, SettingDeclaration.choices(presets), title: "Equaliser", label: "EQ",
    group: .sound)
}
