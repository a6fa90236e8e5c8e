public import BluetoothCodec

/// The protocol of Xiaomi's Redmi Buds over RFCOMM.
///
/// Earbuds answer nothing until each side has challenged the other, and require a response to their
/// reports of changes.
///
/// | opcode | entries | becomes |
/// | --- | --- | --- |
/// | 50, 51 | | the challenges (`RedmiCipher`), and their end |
/// | 02 | 1 firmware, 3 product, 7 battery | firmware; left, right and case |
/// | 09 | 9 mode, A wear detection (0 on) | noise control; setting |
/// | 0E | 0 battery, 4 mode | the same, unprompted |
/// | 08 | 4 mode, 6 wear detection | commands for these values |
/// | F3, F2 | 0 and a number of `RedmiConfiguration` | request for it, command to set it |
/// | F4 | 0, the number, its value | the same, unprompted; 0C: which buds are worn |
///
/// One project published the layout; several describe the frames, noise control, ringing and the
/// items named at `RedmiConfiguration`. The test vectors of its specification confirm the cipher.
public struct RedmiProtocol: TabledProtocol, FramedProtocol {
  public typealias Frame = RedmiFrame

  public static let name = "Redmi / Xiaomi"
  static let manufacturer = "Xiaomi"
  public static let service = BluetoothUUID.bit16(0xFD2D)
  public static let services = [SerialService(service)]

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

  /// The rows for values and configurations; a row's number is the opcode and the entry's number,
  /// which for a configuration has two bytes, the first of them 0.
  static let rows =
    [
      MakerRow(0x0207, batteries), MakerRow(0x0E00, batteries),
      MakerRow(running, [.wholeNoise(modes)], set: 0x0804), MakerRow(0x0E04, [.wholeNoise(modes)]),
      MakerRow(0x090A, [.setting(.toggle(.wearDetection, off: 1, on: 0))], set: 0x0806),
    ] + RedmiConfiguration.rows

  /// The batteries of left bud, right bud and case; FF marks an absent part.
  private static let batteries: [MakerField] = Part.allCases.map {
    .battery($0, absent: 0xFF, hasChargingBit: true)
  }
  private static let modes: [UInt8: ANCMode] = [0: .off, 1: .noiseCancelling, 2: .transparency]
  private static let running: UInt16 = 0x0909

  static func question(_ configuration: UInt8) -> UInt16 {
    number(Command.configuration, configuration)
  }

  static func command(_ configuration: UInt8) -> UInt16 { number(Command.configure, configuration) }

  private static func number(_ opcode: UInt8, _ entry: UInt8) -> UInt16 {
    UInt16(opcode) << 8 | UInt16(entry)
  }

  /// The identifier of the report that the earbuds have accepted the response to their challenge.
  private static let admitted: ResponseID = 0xFFFF
  private static let all: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]

  var reader = FrameReader(RedmiFrame.format)
  var reported = ReportedValues()
  var state = TableState()
  private var sequence: UInt8 = 0
  private var challenge: [UInt8] = []
  /// Whether the earbuds responded to the challenge correctly.
  public private(set) var isRecognised = false
  private var isAdmitted = false
  private var round = 0
  private var product: UInt32?

  public init(on service: BluetoothUUID) {}

  public mutating func questions() -> [Exchange] {
    self = RedmiProtocol(on: Self.service)
    challenge = (0..<RedmiCipher.length).map { _ in UInt8.random(in: 0...UInt8.max) }
    return [request(Command.challenge, [1] + challenge), request(Command.admission, [1, 0])]
  }

  /// Returns a wait for the earbuds' own challenge, then the requests for all values, then those
  /// for the configurations of a known product.
  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised else { return [] }
    defer { round += 1 }
    if round == 0, isAdmitted { round = 1 }
    switch round {
    case 0: return [Exchange(response: Self.admitted)]
    case 1: return [request(Command.information, Self.all), request(Command.running, Self.all)]
    case 2 where product == RedmiConfiguration.product:
      return RedmiConfiguration.all.map { ask(Self.question($0), []) }
    default: return []
    }
  }

  private mutating func request(_ opcode: UInt8, _ payload: [UInt8]) -> Exchange {
    sequence &+= 1
    return Exchange(
      RedmiFrame(.request, opcode, sequence: sequence, payload).encoded(),
      response: ResponseID(UInt16(opcode), sequence: sequence))
  }

  mutating func ask(_ number: UInt16, _ payload: [UInt8]) -> Exchange {
    let (opcode, entry) = (UInt8(number >> 8), UInt8(truncatingIfNeeded: number))
    return switch opcode {
    case Command.set: request(opcode, [UInt8(clamping: payload.count + 1), entry] + payload)
    case Command.configure:
      request(opcode, [UInt8(clamping: payload.count + 2), 0, entry] + payload)
    case Command.configuration: request(opcode, [0, entry])
    default: request(opcode, Self.all)
    }
  }

  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard case .find(let sides, let isOn) = command, reported.ringing != nil else {
      return try tabledExchanges(for: command)
    }
    reported.refusal = nil
    if isOn { try reported.checkRinging(sides) }
    let mask = isOn ? sides.rawValue : Sides.both.rawValue
    return [ask(Self.command(RedmiConfiguration.ringing), [isOn ? 1 : 0, mask])]
  }

  /// Ends a command; the earbuds' acceptance is enough for ringing, which is not reported.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    guard case .find(let sides, let isOn) = command else { return [] }
    reported.apply(ringing: isOn ? (reported.ringing ?? []).union(sides) : [])
    return reported.takeEvents()
  }

  private func reply(to frame: RedmiFrame) -> [UInt8]? {
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

  mutating func apply(
    _ frame: RedmiFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    message.reply = reply(to: frame)
    if frame.kind == .response {
      message.responses = [ResponseID(UInt16(frame.opcode), sequence: frame.sequence)]
      guard frame.status == 0 else {
        reported.refusal = .refused(.unspecified)
        return
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
      message.responses = [Self.admitted]
    case (.response, Command.information), (.response, Command.running), (.report, Command.changed):
      try parse(frame.payload) { me, id, value throws(MalformedBytes) in
        try me.apply(entry: Self.number(frame.opcode, id), value)
      }
    // The number of a configuration has two bytes.
    case (.report, Command.configured), (.response, Command.configuration):
      try parse(frame.payload) { me, id, value throws(MalformedBytes) in
        var reader = ByteReader(value, of: "Redmi configuration")
        let number = try reader.uint8()
        if id == 0 { try me.apply(configuration: number, reader.rest()) }
      }
    default: reported.skip("message \(hexadecimal(frame.opcode, width: 2))")
    }
  }

  /// Passes each entry of `length id value` to `entry`; the length includes the identifier.
  private mutating func parse(
    _ payload: Bytes,
    _ entry: (inout RedmiProtocol, UInt8, Bytes) throws(MalformedBytes) -> Void
  ) throws(MalformedBytes) {
    var reader = ByteReader(payload, of: "Redmi entries")
    while !reader.isAtEnd {
      let count = Int(try reader.uint8(in: 1...UInt8.max))
      let id = try reader.uint8()
      let value = try reader.read(count - 1)
      isolating { me throws(MalformedBytes) in try entry(&me, id, value) }
    }
  }

  /// Applies an entry of information or of a current value, ignoring unknown entries.
  private mutating func apply(entry: UInt16, _ value: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(value, of: "Redmi entry")
    switch entry {
    case 0x0201:
      // Two versions of four digits, of which the first is used.
      let version = try reader.read(4).prefix(2)
      state.firmware = version.map { "\($0 >> 4).\($0 & 0x0F)" }.joined(separator: ".")
    case 0x0203:
      let number = try reader.read(4).reduce(0) { $0 << 8 | UInt32($1) }
      product = number
      if number == RedmiConfiguration.product { reported.apply(ringing: []) }
    case let entry where row(entry, value) != nil: try apply(entry, value)
    default: break
    }
  }

  private mutating func apply(
    configuration number: UInt8, _ value: Bytes
  ) throws(MalformedBytes) {
    switch number {
    case RedmiConfiguration.noise: try apply(Self.running, value.prefix(1))
    case RedmiConfiguration.position:
      var reader = ByteReader(value, of: "Redmi position")
      let position = try reader.uint8()
      reported.apply(Wearing(left: position & 0x08 != 0, right: position & 0x04 != 0))
    default: break
    }
    guard product == RedmiConfiguration.product else { return }
    let width = number == RedmiConfiguration.touches ? 3 : value.count
    var rest = value
    while !rest.isEmpty, rest.count >= width {
      let part = rest.prefix(width)
      rest = rest.dropFirst(width)
      guard row(Self.question(number), part) != nil else { continue }
      try apply(Self.question(number), part)
    }
  }
}
