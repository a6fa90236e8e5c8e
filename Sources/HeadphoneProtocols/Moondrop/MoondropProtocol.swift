public import BluetoothCodec

/// The protocol of Moondrop's earbuds over GAIA.
///
/// The earbuds use the Serial Port Profile without a company identifier, so only the user can
/// identify them (`--driver moondrop`). They answer the hello in version 4 of GAIA. Earbuds of
/// another maker answer in version 3 and restart on a noise control command, so nothing else is
/// sent to them.
///
/// | command, request | payload | becomes |
/// | --- | --- | --- |
/// | -, 0005 | text | firmware |
/// | -, 1A01; report 1A81 | parts with their level: 1 left, 2 right, 3 case | batteries |
/// | 1E02, 1E01 | 0 high, 1 medium, 2 low | setting `gain` |
/// | 4004, 4003 | 0 off, 1 cancelling, 2 transparency | noise control (Pudding) |
/// | 1004, 1003 | the same; in a command 1 off, 2 cancelling | noise control (Robin) |
///
/// The layout of the Pudding is from HyperEars and moondrop-gaia-protocol, which agree and were
/// both tested on the earbuds; that of the Robin is from HyperEars alone.
public struct MoondropProtocol: TabledProtocol, FramedProtocol {
  public typealias Frame = GAIAFrame

  public static let name = "Moondrop"
  static let manufacturer = name
  public static let services = [SerialService(SerialService.serialPort, isShared: true)]

  /// Qualcomm's older GAIA vendor number, used for the hello.
  private static let older: UInt16 = 0x000A
  private static let qualcomm: UInt16 = 0x001D
  private static let (helloVersion, version): (UInt8, UInt8) = (1, 4)

  private static let modes: [UInt8: ANCMode] = [0: .off, 1: .noiseCancelling, 2: .transparency]
  private static let hello = MakerRow(0x0300, [])
  private static let firmware = MakerRow(0x0005, [])
  private static let battery = MakerRow(0x1A01, asking: [1, 2], [.custom(readLevels)])
  private static let noise = MakerRow(0x4003, [.noise(modes)], set: 0x4004)
  private static let robinNoise = MakerRow(0x1003, [.noise(modes)])
  private static let setRobinNoise: UInt16 = 0x1004
  /// The modes that a Robin can be set to; command 4, transparency, restarts Xiaomi Buds 5 Pro.
  private static let robinModes: [(mode: ANCMode, number: UInt8)] = [
    (.off, 1), (.noiseCancelling, 2),
  ]

  static let rows = [
    hello, firmware, battery, noise, robinNoise,
    MakerRow(
      0x1E01, [.setting(.choice("gain", [("low", 2), ("medium", 1), ("high", 0)]))], set: 0x1E02),
  ]

  var reader = FrameReader(GAIAFrame.format)
  var reported = ReportedValues()
  var state = TableState()
  /// Whether the hello was answered in version 4 of GAIA.
  public private(set) var isRecognised = false
  private var round = 0
  private var noiseRow: UInt16?

  public init(on service: BluetoothUUID) {}

  var ancModes: [ANCMode] {
    noiseRow == Self.robinNoise.question
      ? Self.robinModes.map(\.mode) : [.off, .noiseCancelling, .transparency]
  }

  // MARK: Asking

  public mutating func questions() -> [Exchange] {
    forget()
    (isRecognised, round, noiseRow) = (false, 0, nil)
    return [ask(Self.hello)]
  }

  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised else { return [] }
    round += 1
    switch round {
    case 1: return Self.rows.dropFirst(Self.openingRows).map { ask($0) }
    case 2 where reported.batteries.isEmpty: return [ask(Self.battery.question, [])]
    default: return []
    }
  }

  mutating func ask(_ number: UInt16, _ payload: [UInt8]) -> Exchange {
    let isHello = number == Self.hello.question
    return Exchange(
      GAIAFrame(
        version: isHello ? Self.helloVersion : Self.version,
        vendor: isHello ? Self.older : Self.qualcomm, number, payload
      ).encoded(), response: ResponseID(number))
  }

  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard case .setANC(let mode) = command, noiseRow == Self.robinNoise.question else {
      return try tabledExchanges(for: command)
    }
    guard let number = Self.robinModes.first(where: { $0.mode == mode })?.number else {
      throw .noMode(mode)
    }
    reported.refusal = nil
    return [
      Exchange(withoutResponse: ask(Self.setRobinNoise, [number]).values.flatMap { $0 }),
      ask(Self.robinNoise).delayed(by: Self.noiseDelay),
    ]
  }

  mutating func set(_ row: MakerRow, _ payload: [UInt8]) -> [Exchange] {
    let question = ask(row)
    let isNoise = row.question == Self.noise.question
    return (row.command.map { [ask($0, payload)] } ?? [])
      + [isNoise ? question.delayed(by: Self.noiseDelay) : question]
  }

  /// The time during which the previous mode may still be reported after a command.
  private static let noiseDelay: Duration = .milliseconds(700)

  // MARK: Receiving

  mutating func apply(
    _ frame: GAIAFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    if frame.vendor == Self.older, frame.command == Self.hello.question | 0x8000 {
      isRecognised = frame.version == Self.version
      message.responses = [ResponseID(Self.hello.question)]
      return
    }
    guard frame.vendor == Self.qualcomm, frame.version == Self.version else {
      return reported.skip("message of vendor \(hexadecimal(frame.vendor, width: 4))")
    }
    let number = frame.command & ~Kind.mask
    switch frame.command & Kind.mask {
    case Kind.error:
      message.responses = [ResponseID(number)]
      if Self.rows.contains(where: { $0.command == number }) {
        reported.refusal = .refused(.other(frame.payload.first ?? 0))
      }
    case Kind.response, Kind.notification:
      if frame.command & Kind.mask == Kind.response { message.responses = [ResponseID(number)] }
      try apply(value: number, frame.payload)
    default: reported.skip("message \(hexadecimal(frame.command, width: 4))")
    }
  }

  private mutating func apply(value number: UInt16, _ payload: Bytes) throws(MalformedBytes) {
    switch number {
    case Self.firmware.question: state.firmware = textFromAir(payload)
    case Self.noise.question, Self.robinNoise.question:
      // A headphone that has both has the mode in the first.
      guard number == Self.noise.question || noiseRow != Self.noise.question else { return }
      try apply(number, payload)
      noiseRow = number
    default: try apply(number, payload)
    }
  }

  /// Applies pairs of a part and its level; 0 for a bud, or FF, means that it is not connected.
  private static func readLevels(
    _ reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    let parts: [UInt8: Part] = [1: .left, 2: .right, 3: .case]
    var levels = BatteryLevels("Moondrop battery")
    while !reader.isAtEnd {
      let (number, level) = (try reader.uint8(), try reader.uint8())
      guard let part = parts[number], level != 0xFF, level > 0 || part == .case else { continue }
      levels.add(part, level, at: reader.offset - 1)
    }
    reported.apply(levels)
  }

  private enum Kind {
    static let mask: UInt16 = 0x0180
    static let notification: UInt16 = 0x0080
    static let response: UInt16 = 0x0100
    static let error: UInt16 = 0x0180
  }
}
