public import BluetoothCodec

/// The protocol of Technics's earbuds (EAH-AZ) over RFCOMM.
///
/// The earbuds use the service of their chip's maker, as those of other makers do, so only the user
/// can identify them (`--driver technics`).
///
/// In the answer with the mode of noise control, the mode is followed by the levels of cancelling
/// and transparency, which a command repeats.
///
/// One project published the layout and tested it on an EAH-AZ80.
public struct TechnicsProtocol: TabledProtocol, FramedProtocol {
  public typealias Frame = TechnicsFrame

  public static let name = "Technics"
  static let manufacturer = name
  public static let service = BluetoothUUID(high: 0, low: 0x0099_AABB_CCDD_EEFF)
  public static let services = [SerialService(service, isShared: true)]

  private static let bud: UInt16 = 0x0CD6

  static let rows = [
    MakerRow(
      0x000A,
      [
        .noise([0: .off, 1: .noiseCancelling, 2: .transparency]), .kept(0...100), .kept(0...100),
      ], set: 0x000B),
    MakerRow(bud, asking: [0], prefix: [0], [.battery(.right)]),
    MakerRow(bud, asking: [1], prefix: [1], [.battery(.left)]),
    MakerRow(0x0040, [.battery(.case)]),
  ]
  static let openingRows = rows.count

  var reader = FrameReader(TechnicsFrame.format)
  var reported = ReportedValues()
  var state = TableState()

  public init(on service: BluetoothUUID) {}

  public var isRecognised: Bool { !reported.batteries.isEmpty || reported.noise != nil }

  mutating func ask(_ number: UInt16, _ payload: [UInt8]) -> Exchange {
    Exchange(
      TechnicsFrame(.command, number, payload).encoded(),
      response: ResponseID(number, sequence: number == Self.bud ? payload.first : nil))
  }

  /// Returns the exchanges for a command (0039 cancelling, 0022 transparency), after the end of
  /// adaptive cancelling (0068).
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    var exchanges = try tabledExchanges(for: command)
    switch command {
    case .setANC(.noiseCancelling): exchanges.insert(ask(0x0039, [0x20, 0x02]), at: 1)
    case .setANC(.transparency): exchanges.insert(ask(0x0022, [0, 0]), at: 0)
    default: break
    }
    return [ask(0x0068, [0])] + exchanges
  }

  /// Applies a successful answer, or the level of a bud, which is reported after the answer.
  mutating func apply(
    _ frame: TechnicsFrame, to message: inout ParsedMessage
  ) throws(MalformedBytes) {
    guard frame.kind == .response || frame.kind == .report else { return }
    let (payload, isBud) = (frame.payload.dropFirst(), frame.command == Self.bud)
    if isBud == (frame.kind == .report) {
      message.responses = [ResponseID(frame.command, sequence: isBud ? payload.first : nil)]
      // An error is a response, too, but without a value.
      if frame.payload.first == 0 { try apply(frame.command, payload) }
    } else if !isBud {
      reported.skip("report \(hexadecimal(frame.command, width: 4))")
    }
  }
}
