public import BluetoothCodec

/// The protocol of Xiaomi's Redmi Buds over RFCOMM.
///
/// Each side challenges the other first; the earbuds say nothing before that. Then they are asked,
/// and report changes that want an answer.
///
/// | opcode | entries | becomes |
/// | --- | --- | --- |
/// | 50, 51 | | the challenges (`RedmiCipher`), and their end |
/// | 02 | 1 firmware, 7 battery | firmware; left, right and case |
/// | 09 | 9 mode, A wear detection (0 on) | noise control; setting |
/// | 0E | 0 battery, 4 mode | the same, unprompted |
/// | 08 | 4 mode, 6 wear detection | their commands |
/// | F4 | 0 and 0B: mode, strength | noise control, unprompted |
///
/// Published layout, of one project but for the frames; the cipher is proven by vectors of its
/// specification.
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

  /// Waits for the earbuds' own challenge, then asks once for all that they report.
  public mutating func furtherQuestions() -> [Exchange] {
    round += 1
    guard isRecognised, round <= 2 else { return [] }
    if round == 1, !isAdmitted { return [Exchange(response: Self.admitted)] }
    round = 2
    return [ask(Command.information, Self.all), ask(Command.running, Self.all)]
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
    default: throw Self.unsupported
    }
    return [ask(Command.set, payload), ask(Command.running, Self.all)]
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
    // One entry of a configuration, of which the number has two bytes.
    case (.report, Command.configured):
      return try parse(frame.payload) { me, id, value throws(MalformedBytes) in
        var reader = ByteReader(value, of: "Redmi configuration")
        guard id == 0, try reader.uint8() == Self.noiseConfiguration else { return [] }
        return me.reported.apply(try Self.mode(&reader))
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

  /// Mode and strength of noise control.
  private static let noiseConfiguration: UInt8 = 0x0B
  /// The level of a part that is not there.
  private static let absent: UInt8 = 0xFF
  /// By their numbers.
  private static let modes: [ANCMode] = [.off, .noiseCancelling, .transparency]
}
