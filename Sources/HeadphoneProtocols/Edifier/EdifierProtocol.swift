public import BluetoothCodec

/// The protocol of Edifier's headphones over RFCOMM.
///
/// The first battery report determines the framing (``EdifierFrame``). The first query is sent
/// masked, and again in the old framing if there is no response.
///
/// Noise control is queried only on a headphone with one battery: one model of earbuds without
/// noise control ends its link after that query, and cannot be told from others before. The noise
/// control of earbuds becomes known when they report it unprompted.
///
/// | command | payload | meaning |
/// | --- | --- | --- |
/// | D0 | level | the only battery |
/// | F2 | 3, left, right | batteries of buds |
/// | CC, set by C1 | slot, value (`EdifierNoise`) | noise control |
/// | CC, set by C1 | old: mode 1 off, 2 cancelling, 3 ambient; volume 3 to 9 | noise control |
/// | CA | old: text | sets the name |
/// | D2 | old | disables automatic power-off |
///
/// Other settings are known in the old framing only, as recorded from a W820NB. The commands 07
/// (factory reset), CD, CE and CF (disconnect, switch off, pair again) are never sent.
public struct EdifierProtocol: TabledProtocol, FramedProtocol {
  public typealias Frame = EdifierFrame

  public static let name = "Edifier"
  static let manufacturer = name

  public static let service = BluetoothUUID(
    high: 0xEDF0_0000_EDFE_DFED, low: 0xFEDF_EDFE_DFED_FEDF)
  public static let services = [SerialService(service)]

  private enum Command {
    static let setNoise: UInt16 = 0xC1
    static let setName: UInt16 = 0xCA
    static let noise: UInt16 = 0xCC
    static let battery: UInt16 = 0xD0
    static let neverOff: UInt16 = 0xD2
    static let buds: UInt16 = 0xF2
  }

  private static let battery = MakerRow(Command.battery, [.battery(.left)])
  private static let buds = MakerRow(
    Command.buds, prefix: [3], [.battery(.left), .battery(.right)])
  private static let batteries = [battery, buds]
  private static let noiseModes = MakerRow(
    Command.noise,
    [.noise([1: .off, 2: .noiseCancelling, 3: .transparency]), .custom(applyVolume)],
    set: Command.setNoise)
  /// The time until automatic power-off, in minutes.
  private static let autoPowerOff = MakerRow(
    0xD3,
    [
      .setting(
        .choice(
          .autoPowerOff,
          [
            ("5-minutes", 5), ("15-minutes", 15), ("30-minutes", 30), ("1-hour", 60),
            ("3-hours", 180), ("never", 0),
          ], widths: 1...2))
    ], set: 0xD1)

  static let rows =
    batteries + [
      noiseModes, MakerRow(0xC6, [.firmware(3)]),
      MakerRow(0x08, [.setting(.toggle("game-mode"))], set: 0x09),
      MakerRow(0x05, [.setting(.level("prompt-volume", SettingRange(0...15)))], set: 0x06),
      MakerRow(0x48, [.setting(.choice("ldac", ["off", "48-khz", "96-khz"]))], set: 0x49),
      MakerRow(
        0xD5, [.setting(.choice(.equaliserPreset, ["classic", "pop", "classical", "rock"]))],
        set: 0xC4),
      autoPowerOff,
      // Bits: 1 off, 2 cancelling, 4 ambient.
      MakerRow(
        0xF0, asking: [0x0A], prefix: [0x0A],
        [
          .setting(
            .choice(
              "noise-button",
              [
                ("cancelling-ambient-off", 7), ("cancelling-ambient", 6), ("cancelling-off", 3),
                ("ambient-off", 5),
              ]))
        ], set: 0xF1),
    ]

  var reader = FrameReader(
    EdifierFrame.format(of: .headphone, .masked), EdifierFrame.format(of: .result, .masked),
    EdifierFrame.format(of: .headphone, .old), EdifierFrame.format(of: .result, .old))
  var reported = ReportedValues()
  var state = TableState()
  /// The framing, or nil before the first battery report.
  private var framing: EdifierFrame.Framing?
  /// The number of times that the first query was written.
  private var openings = 0
  private var round = 0
  private var noise: EdifierNoise?

  public init(on service: BluetoothUUID) {}

  public var isRecognised: Bool { !reported.batteries.isEmpty }

  /// A level is that of ambient sound, in the old framing only.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.hasNoise { able.ancModes = ancModes }
    able.hasANCLevel = reported.level != nil
    able.ancLevels = 0...Self.mostVolume
    able.ancLevelModes = [.transparency]
    able.hasRename = framing == .old
    return able
  }

  // MARK: Queries

  /// Returns the query for the battery, and for the batteries of buds unless the framing is old.
  public mutating func questions() -> [Exchange] {
    forget()
    (openings, round, noise) = (0, 0, nil)
    var question = ask(Self.battery)
    if framing != .old { question.values += ask(Self.buds).values }
    return [question]
  }

  /// Returns the value to write: from the second attempt on, the first query in the old framing.
  public mutating func framed(_ value: Bytes) -> Bytes {
    guard framing == nil else { return value }
    if value == Self.opening { openings += 1 }
    return openings < 2
      ? value : Bytes(Self.frame(Command.battery, in: .old).encoded())
  }

  private static let opening = Bytes(frame(Command.battery, in: .masked).encoded())

  /// Returns all other queries in the old framing, else one in each round.
  ///
  /// These are whether the headphone has buds after all, and noise control if it has one battery.
  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised, reported.batteries[.right] == nil else { return [] }
    round += 1
    if framing == .old {
      return round == 1 ? Self.rows.dropFirst(Self.batteries.count).map { ask($0) } : []
    }
    return round == 1 ? [ask(Self.buds)] : round == 2 ? [ask(Self.noiseModes)] : []
  }

  func ask(_ number: UInt16, _ payload: [UInt8]) -> Exchange {
    Exchange(
      Self.frame(number, payload, in: framing ?? .masked).encoded(), response: ResponseID(number))
  }

  private static func frame(
    _ number: UInt16, _ payload: [UInt8] = [], in framing: EdifierFrame.Framing
  ) -> EdifierFrame {
    EdifierFrame(.phone, UInt8(truncatingIfNeeded: number), payload, in: framing)
  }

  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    reported.refusal = nil
    return framing == .old ? try oldExchanges(for: command) : try newExchanges(for: command)
  }

  private mutating func newExchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard let noise else { throw Self.unsupported }
    let value: UInt8?
    switch command {
    case .setANC(let mode): value = noise.slot.value(of: mode, keeping: noise.value)
    case .set(EdifierNoise.kind, .choice(let name)): value = noise.slot.value(named: name)
    default: throw Self.unsupported
    }
    guard let value else { throw .unsupported("such noise control mode") }
    // The headphone does not answer the command.
    let command = ask(Command.setNoise, [noise.slot.rawValue, value])
    return [ask(Self.noiseModes).after([command])]
  }

  private mutating func oldExchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    switch command {
    case .setANCLevel(let level) where reported.level != nil && level <= Self.mostVolume:
      guard reported.noise == .transparency else {
        throw .badArgument("the level can be set while transparency is on only")
      }
      return set(Self.noiseModes, [3, level + Self.leastVolume])
    case .set(.autoPowerOff, .choice("never")) where reported[.autoPowerOff] != nil:
      return [ask(Command.neverOff, []), ask(Self.autoPowerOff)]
    case .rename(let name): return [ask(Command.setName, Array(name.utf8))]
    default: return try tabledExchanges(for: command)
    }
  }

  /// Applies one frame; unknown commands and echoes of this host's frames are skipped.
  mutating func apply(_ frame: EdifierFrame, to message: inout ParsedMessage) throws(MalformedBytes)
  {
    guard frame.sender != .phone else { return }
    if framing == nil { framing = Self.framing(provenBy: frame) }
    let frame = framing == .plain && frame.framing == .masked ? frame.asPlain : frame
    let (number, payload) = (UInt16(frame.command), frame.payload[...])
    message.responses = [ResponseID(number)]
    // The first battery report answers the first query, even if it has the other command.
    if !isRecognised, number == Command.buds {
      message.responses.insert(ResponseID(Command.battery))
    }
    var reader = ByteReader(payload, of: "Edifier payload")
    switch (number, frame.framing == .old) {
    case (Command.noise, false): try apply(noise: &reader)
    case (Command.setNoise, true): try apply(Command.noise, payload)
    case (Command.setName, true) where frame.sender == .result:
      if try reader.uint8() != 1 { reported.refusal = .refused(.unspecified) }
    case (Command.setNoise, false), (Command.neverOff, true): break
    case (Command.battery, _), (Command.buds, _), (_, true): try apply(number, payload)
    default: reported.skip("message \(hexadecimal(number, width: 2))")
    }
  }

  /// Returns the framing in which a battery report is valid, at most one, or nil for other reports.
  private static func framing(provenBy frame: EdifierFrame) -> EdifierFrame.Framing? {
    if frame.framing == .old { return .old }
    func isBattery(_ payload: [UInt8]) -> Bool {
      switch (UInt16(frame.command), payload.first) {
      case (Command.battery, let level?): level <= 100
      case (Command.buds, 3): true
      default: false
      }
    }
    if isBattery(frame.payload) { return .masked }
    return isBattery(frame.asPlain.payload) ? .plain : nil
  }

  private mutating func apply(noise reader: inout ByteReader) throws(MalformedBytes) {
    let (number, value) = (try reader.uint8(), try reader.uint8())
    // A headphone has one slot; the values of another slot have other meanings.
    guard let slot = EdifierNoise.Slot(rawValue: number), noise == nil || noise?.slot == slot
    else { return reported.skip("noise control \(hexadecimal(number, width: 2))") }
    let reading = EdifierNoise(slot: slot, value: value)
    noise = reading
    reading.apply(to: &reported)
  }

  /// Applies the volume of ambient sound after the mode, if the report has one.
  private static func applyVolume(
    _ reader: inout ByteReader, to reported: inout ReportedValues
  ) throws(MalformedBytes) {
    guard !reader.isAtEnd else { return }
    reported.apply(
      level: try reader.uint8(in: leastVolume...leastVolume + mostVolume) - leastVolume)
  }

  /// The lowest volume on the wire, and the number of steps above it.
  private static let (leastVolume, mostVolume): (UInt8, UInt8) = (3, 6)
}
