public import BluetoothCodec

/// The protocol of vivo's and iQOO's earbuds over GAIA.
///
/// Answers have the older form of GAIA: the command with bit 15 set, then a status. A command for
/// noise control ends with the bytes that the model reports after its mode; on models where these
/// bytes are unknown, noise control cannot be set. Hello and battery are requested in version 4 of
/// GAIA. A TWS Air3 Pro answers in version 3, which is then used for noise control.
public struct VivoProtocol: TabledProtocol, FramedProtocol {
  public typealias Frame = GAIAFrame

  public static let name = "vivo / iQOO"
  static let manufacturer = "vivo"

  public static let service = BluetoothUUID(
    high: 0x0000_0837_D102_11E1, low: 0x9B23_0002_5B00_A5A5)
  public static let services = [SerialService(service)]

  private static let qualcomm: UInt16 = 0x000A
  private static let vivo: UInt16 = 0x001B
  private static let responseBit: UInt16 = 0x8000

  private static let hello = MakerRow(0x0300, [])
  private static let noise = MakerRow(
    0x0230, [.wholeNoise([0: .noiseCancelling, 1: .off, 2: .transparency]), .keptRest],
    set: 0x0130)
  static let rows = [
    hello,
    MakerRow(
      0x0207,
      [
        .battery(.left, absent: 0xFF), .battery(.right, absent: 0xFF),
        .battery(.case, absent: 0xFF),
        .charging,
      ]),
    noise,
  ]
  static let openingRows = 2

  var reader = FrameReader(GAIAFrame.format)
  var reported = ReportedValues()
  var state = TableState()
  /// The version of GAIA in the headphone's last answer.
  private var version = latestVersion

  public init(on service: BluetoothUUID) {}

  public var isRecognised: Bool { !reported.batteries.isEmpty }

  public mutating func questions() -> [Exchange] {
    forget()
    version = Self.latestVersion
    return Self.rows.prefix(Self.openingRows).map { ask($0) }
  }

  mutating func ask(_ number: UInt16, _ payload: [UInt8]) -> Exchange {
    let vendor = number == Self.hello.question ? Self.qualcomm : Self.vivo
    let isNewNoise = number == Self.noise.question && version == Self.latestVersion
    return Exchange(
      GAIAFrame(version: version, vendor: vendor, number, isNewNoise ? [0] : payload).encoded(),
      response: ResponseID(number))
  }

  /// Returns the exchanges for a command, with the bytes that the headphone reports after the mode;
  /// throws `unsupported` if they are unknown.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    let exchanges = try tabledExchanges(for: command)
    guard Self.tails[version]?.contains(state.kept[Self.noise.question] ?? []) == true else {
      throw .unsupported("noise control that Earshot can set: the rest of its command is unknown")
    }
    return exchanges
  }

  mutating func apply(
    _ frame: GAIAFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    guard frame.command & Self.responseBit != 0 else { return }
    let command = frame.command & ~Self.responseBit
    message.responses = [ResponseID(command)]
    if frame.vendor == Self.vivo { version = frame.version }
    guard frame.payload.first == 0 else {
      reported.refusal = .refused(.unspecified)
      return
    }
    guard frame.vendor == Self.vivo else {
      return reported.skip("a message of vendor \(hexadecimal(frame.vendor, width: 4))")
    }
    let payload = frame.payload.dropFirst()
    // The answer to the command also contains the mode.
    if command == Self.noise.command {
      try apply(Self.noise.question, payload.prefix(1))
    } else {
      try apply(command, payload)
    }
  }

  private static let latestVersion: UInt8 = 4
  /// The known bytes after a mode, by GAIA version: 3 for TWS Air3 Pro and TWS 3e, 4 for the rest
  /// of the family.
  private static let tails: [UInt8: Set<[UInt8]>] = [
    3: [[0x04, 0x00], [0x03]], latestVersion: [[0x03, 0x01]],
  ]
}
