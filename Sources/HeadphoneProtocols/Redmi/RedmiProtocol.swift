public import BluetoothCodec

/// The protocol of Xiaomi's Redmi Buds over RFCOMM.
///
/// Each side challenges the other first; the earbuds say nothing before that. Then they are asked,
/// and report changes that want an answer.
///
/// | opcode | entries | becomes |
/// | --- | --- | --- |
/// | 50, 51 | | the challenges (`RedmiCipher`), and their end |
/// | 02 | 1 firmware, 3 product, 7 battery | firmware; left, right and case |
/// | 09 | 9 mode, A wear detection (0 on) | noise control; setting |
/// | 0E | 0 battery, 4 mode | the same, unprompted |
/// | 08 | 4 mode, 6 wear detection | their commands |
/// | F3, F2 | 0 and a number of `RedmiConfiguration` | its question, its command |
/// | F4 | 0 and the number: its value | the same, unprompted; 0C: which buds are worn |
///
/// Published layout, of one project but for the frames, noise control, ringing and what
/// `RedmiConfiguration` names; the cipher is proven by vectors of its specification.
public struct RedmiProtocol: PlainFramedProtocol {
  public typealias Frame = RedmiFrame

  public static let name = "Redmi / Xiaomi"
  /// Xiaomi's own service.
  public static let service = BluetoothUUID.bit16(0xFD2D)

  private enum Command {
    static let information: UInt8 = 0x02
    static let set: UInt8 = 0x08
    static let running: UInt8 = 0x09
    static let changed: UInt8 = 0x0E
    static let challenge: UInt8 = 0x50
    static let configure: UInt8 = 0xF2
    static let configuration: UInt8 = 0xF3
    static let configured: UInt8 = 0xF4
    static let admission: UInt8 = 0x51
  }

  /// Stands for the earbuds' word that they have taken the answer to their challenge.
  private static let admitted: ResponseID = 0xFFFF
  /// Asks for all entries.
  private static let all: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]

  var reader = FrameReader(RedmiFrame.format)
  private(set) var reported = ReportedValues()
  private var sequence: UInt8 = 0
  /// What the earbuds were asked to answer; empty: nothing.
  private var challenge: [UInt8] = []
  /// Whether they did.
  public private(set) var isRecognised = false
  private var isAdmitted = false
  private var round = 0
  private var firmware: String?
  /// The maker's and the product's numbers; nil: not reported.
  private var product: UInt32?

  init() {}

  public var information: DeviceInformation {
    DeviceInformation(manufacturer: "Xiaomi", firmware: firmware)
  }

  // MARK: Asking

  /// The challenge, and its end.
  public mutating func questions() -> [Exchange] {
    self = RedmiProtocol()
    challenge = (0..<RedmiCipher.length).map { _ in UInt8.random(in: 0...UInt8.max) }
    return [ask(Command.challenge, [1] + challenge), ask(Command.admission, [1, 0])]
  }

  /// Waits for the earbuds' own challenge, then asks once for all that they report, and for the
  /// configurations of a product whose numbers are known.
  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised else { return [] }
    defer { round += 1 }
    if round == 0, isAdmitted { round = 1 }
    switch round {
    case 0: return [Exchange(response: Self.admitted)]
    case 1: return [ask(Command.information, Self.all), ask(Command.running, Self.all)]
    case 2 where product == RedmiConfiguration.product:
      return RedmiConfiguration.all.map { ask(Command.configuration, [0, $0]) }
    default: return []
    }
  }

  private mutating func ask(_ opcode: UInt8, _ payload: [UInt8]) -> Exchange {
    sequence &+= 1
    return Exchange(
      RedmiFrame(.request, opcode, sequence: sequence, payload).encoded(),
      response: ResponseID(UInt16(opcode), sequence: sequence))
  }

  /// The command, and behind it the question for what is true then.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    reported.refusal = nil
    let payload: [UInt8]
    switch command {
    case .setANC(let mode):
      guard capabilities.ancModes.contains(mode), let raw = Self.modes.firstIndex(of: mode) else {
        throw .noMode(mode)
      }
      payload = [2, 4, UInt8(raw)]
    case .set(.wearDetection, .toggle(let isOn)) where reported[.wearDetection] != nil:
      payload = [2, 6, isOn ? 0 : 1]
    case .find(let sides, let isOn) where reported.ringing != nil:
      if isOn { try reported.checkRinging(sides) }
      let mask = isOn ? sides.rawValue : Sides.both.rawValue
      return [configure(RedmiConfiguration.ringing, [isOn ? 1 : 0, mask])]
    case .set(let id, let value) where reported[id] != nil:
      guard reported.capabilities.declaration(of: id)?.accepts(value) == true,
        let (number, bytes) = RedmiConfiguration.bytes(of: id, value)
      else { throw Self.unsupported }
      if let restriction = reported.capabilities.declaration(of: id)?.restriction(
        in: reported.noise)
      {
        throw .badArgument("it can be set \(restriction)")
      }
      return [configure(number, bytes), ask(Command.configuration, [0, number])]
    default: throw Self.unsupported
    }
    return [ask(Command.set, payload), ask(Command.running, Self.all)]
  }

  /// A command for a configuration, whose number has two bytes.
  private mutating func configure(_ number: UInt8, _ value: [UInt8]) -> Exchange {
    ask(Command.configure, [UInt8(clamping: value.count + 2), 0, number] + value)
  }

  /// Ringing is not reported: what the earbuds have accepted counts.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    guard case .find(let sides, let isOn) = command else { return [] }
    return reported.apply(ringing: isOn ? (reported.ringing ?? []).union(sides) : [])
  }

  // MARK: Receiving

  /// The earbuds' challenge is answered by the cipher, and each of their reports by its number.
  func reply(to frame: RedmiFrame) -> [UInt8]? {
    let payload: [UInt8]
    switch (frame.kind, frame.opcode) {
    case (.response, _), (.request, _): return nil
    case (.earbudsRequest, Command.challenge):
      guard let response = RedmiCipher.response(to: frame.payload.dropFirst()) else { return nil }
      payload = [1] + response
    case (.earbudsRequest, Command.admission): payload = [1]
    default: payload = []
    }
    return RedmiFrame(.response, frame.opcode, sequence: frame.sequence, payload).encoded()
  }

  mutating func events(
    of frame: RedmiFrame, response: inout ResponseID?
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    if frame.kind == .response {
      response = ResponseID(UInt16(frame.opcode), sequence: frame.sequence)
      guard frame.status == 0 else {
        reported.refusal = .refused(.unspecified)
        return []
      }
    }
    switch (frame.kind, frame.opcode) {
    case (.response, Command.challenge):
      guard let right = RedmiCipher.response(to: challenge[...]), frame.payload == [1] + right[...]
      else {
        throw MalformedBytes("Redmi challenge", at: 0, .badLength(frame.payload.count))
      }
      isRecognised = true
    case (.earbudsRequest, Command.admission):
      isAdmitted = true
      response = Self.admitted
    case (.response, Command.information):
      return try parse(frame.payload) { me, id, value throws(MalformedBytes) in
        switch id {
        case 1: me.firmware = try Self.firmware(value)
        case 3:
          var reader = ByteReader(value, of: "Redmi product")
          let product = try reader.read(4).reduce(0) { $0 << 8 | UInt32($1) }
          me.product = product
          return product == RedmiConfiguration.product ? me.reported.apply(ringing: []) : []
        case 7: return me.reported.apply(try Self.batteries(value))
        default: break
        }
        return []
      }
    case (.response, Command.running):
      return try parse(frame.payload) { me, id, value throws(MalformedBytes) in
        var reader = ByteReader(value, of: "Redmi state")
        switch id {
        case 0x09: return me.reported.apply(try Self.mode(&reader))
        case 0x0A: return me.reported.apply(.wearDetection, .toggle(try !reader.flag()))
        default: return []
        }
      }
    case (.report, Command.changed):
      return try parse(frame.payload) { me, id, value throws(MalformedBytes) in
        var reader = ByteReader(value, of: "Redmi report")
        switch id {
        case 0: return me.reported.apply(try Self.batteries(value))
        case 4: return me.reported.apply(try Self.mode(&reader))
        default: return []
        }
      }
    // The number of a configuration has two bytes.
    case (.report, Command.configured), (.response, Command.configuration):
      return try parse(frame.payload) { me, id, value throws(MalformedBytes) in
        var reader = ByteReader(value, of: "Redmi configuration")
        let number = try reader.uint8()
        guard id == 0 else { return [] }
        return try me.apply(number, &reader)
      }
    default: break
    }
    return []
  }

  /// Entries of `length id value`, whose length counts the identifier.
  private mutating func parse(
    _ payload: Bytes,
    _ entry: (inout RedmiProtocol, UInt8, Bytes) throws(MalformedBytes) -> [HeadphoneEvent]
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(payload, of: "Redmi entries")
    var events: [HeadphoneEvent] = []
    while !reader.isAtEnd {
      let count = Int(try reader.uint8(in: 1...UInt8.max))
      let id = try reader.uint8()
      events += try entry(&self, id, try reader.read(count - 1))
    }
    return events
  }

  /// Applies a configuration.
  private mutating func apply(
    _ number: UInt8, _ reader: inout ByteReader
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    switch number {
    case RedmiConfiguration.noise:
      let mode = try Self.mode(&reader)
      let events = reported.apply(mode)
      guard product == RedmiConfiguration.product, !reader.isAtEnd else { return events }
      let strength = RedmiConfiguration.strength(of: mode, try reader.uint8())
      return events + (strength.map { reported.apply($0.0, $0.1) } ?? [])
    case RedmiConfiguration.position:
      let position = try reader.uint8()
      return reported.apply(
        Wearing(left: position & 0x08 != 0, right: position & 0x04 != 0))
    default:
      guard product == RedmiConfiguration.product else { return [] }
      return RedmiConfiguration.settings(number, Array(reader.rest())).flatMap {
        reported.apply($0.0, $0.1)
      }
    }
  }

  /// Left, right and case; bit 7: it charges.
  private static func batteries(_ value: Bytes) throws(MalformedBytes) -> BatteryLevels {
    var reader = ByteReader(value, of: "Redmi battery")
    var levels = BatteryLevels("Redmi battery")
    for part in Part.allCases {
      let raw = try reader.uint8()
      if raw != absent { levels.add(part, withChargingBit: raw, at: reader.offset - 1) }
    }
    return levels
  }

  /// Two versions of four digits, of which the first counts.
  private static func firmware(_ value: Bytes) throws(MalformedBytes) -> String {
    var reader = ByteReader(value, of: "Redmi firmware")
    return try reader.read(4).prefix(2).map { "\($0 >> 4).\($0 & 0x0F)" }.joined(separator: ".")
  }

  private static func mode(_ reader: inout ByteReader) throws(MalformedBytes) -> ANCMode {
    let raw = try reader.uint8()
    guard Int(raw) < modes.count else { throw reader.impossible(raw) }
    return modes[Int(raw)]
  }

  /// The level of a part that is not there.
  private static let absent: UInt8 = 0xFF
  /// By their numbers.
  private static let modes: [ANCMode] = [.off, .noiseCancelling, .transparency]
}
