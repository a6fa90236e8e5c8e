public import BluetoothCodec

/// Technics's earbuds (EAH-AZ) over RFCOMM.
///
/// They speak on the service of their chip's maker, which headphones of others have, too, so that
/// nothing but a person says that a headphone is one (`--driver technics`).
///
/// | command | payload | becomes |
/// | --- | --- | --- |
/// | 0CD6 | 0 right, 1 left; the report: 0, side, % | battery of a bud |
/// | 0040 | the answer: 0, % | battery of the case |
/// | 000A | the answer: 0, mode, level of cancelling, level of transparency | noise control |
/// | 000B | mode and both levels | sets noise control, behind 0068, 0022 or 0039 |
///
/// Published layout, of one project, which has read and written it with an EAH-AZ80.
public struct TechnicsProtocol: PlainFramedProtocol {
  public typealias Frame = TechnicsFrame

  public static let name = "Technics"
  /// Airoha's: 00000000-0000-0000-0099-AABBCCDDEEFF.
  public static let service = BluetoothUUID(high: 0, low: 0x0099_AABB_CCDD_EEFF)
  public static var services: [SerialService] { [SerialService(service, isShared: true)] }

  private enum Command {
    static let bud: UInt16 = 0x0CD6
    static let chargingCase: UInt16 = 0x0040
    static let noise: UInt16 = 0x000A
    static let setNoise: UInt16 = 0x000B
    /// Ends adaptive cancelling.
    static let adaptive: UInt16 = 0x0068
    /// Begin transparency and cancelling.
    static let attention: UInt16 = 0x0022
    static let cancelling: UInt16 = 0x0039
  }

  var reader = FrameReader(TechnicsFrame.format)
  private(set) var reported = ReportedValues()
  /// The levels of cancelling and of transparency, which a command repeats.
  private var levels: [UInt8] = []

  init() {}

  /// Both are of the maker's own numbers.
  public var isRecognised: Bool { !reported.batteries.isEmpty || reported.noise != nil }

  public var information: DeviceInformation { DeviceInformation(manufacturer: "Technics") }

  // MARK: Asking

  public mutating func questions() -> [Exchange] {
    (reported, levels) = (ReportedValues(), [])
    return [
      ask(Command.noise), askBud(0), askBud(1), ask(Command.chargingCase),
    ]
  }

  private func ask(_ command: UInt16, _ payload: [UInt8] = []) -> Exchange {
    Exchange(TechnicsFrame(.command, command, payload).encoded(), response: ResponseID(command))
  }

  /// The level comes in a report behind the answer.
  private func askBud(_ side: UInt8) -> Exchange {
    Exchange(
      TechnicsFrame(.command, Command.bud, [side]).encoded(),
      response: ResponseID(Command.bud, sequence: side))
  }

  /// The command with the levels that are set, and behind it the question for what is true then.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard case .setANC(let mode) = command else { throw Self.unsupported }
    guard levels.count == 2, let number = Self.modes.firstIndex(of: mode) else {
      throw .noMode(mode)
    }
    let set = ask(Command.setNoise, [UInt8(number)] + levels)
    let orders =
      switch mode {
      case .noiseCancelling: [set, ask(Command.cancelling, [0x20, 0x02])]
      case .transparency: [ask(Command.attention, [0, 0]), set]
      default: [set]
      }
    return [ask(Command.adaptive, [0])] + orders + [ask(Command.noise)]
  }

  // MARK: Receiving

  /// Takes one frame; commands that are not known are skipped.
  mutating func events(
    of frame: TechnicsFrame, response: inout ResponseID?
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard frame.kind == .response || frame.kind == .report else { return [] }
    let isBud = frame.command == Command.bud
    if frame.kind == .response, !isBud { response = ResponseID(frame.command) }
    var reader = ByteReader(frame.payload, of: "Technics value")
    // A refusal is an answer, and has no value.
    guard !reader.isAtEnd, try reader.uint8() == 0 else { return [] }
    var battery = BatteryLevels("Technics battery")
    switch (frame.kind, frame.command) {
    case (.report, Command.bud):
      let side = try reader.uint8(in: 0...1)
      response = ResponseID(Command.bud, sequence: side)
      battery.add(side == 0 ? .right : .left, try reader.uint8(), at: reader.offset - 1)
      return reported.apply(battery)
    case (.response, Command.chargingCase):
      battery.add(.case, try reader.uint8(), at: reader.offset - 1)
      return reported.apply(battery)
    case (.response, Command.noise):
      let raw = try reader.uint8()
      let levels = [try reader.uint8(in: 0...100), try reader.uint8(in: 0...100)]
      guard Int(raw) < Self.modes.count else {
        throw reader.malformed(.badValue(UInt64(raw)), at: 1)
      }
      self.levels = levels
      return reported.apply(Self.modes[Int(raw)])
    default: return []
    }
  }

  /// By their numbers.
  private static let modes: [ANCMode] = [.off, .noiseCancelling, .transparency]
}
