public import BluetoothCodec

/// Edifier's headphones over RFCOMM.
///
/// A headphone with one battery is asked for its noise control. Earbuds are not: one model without
/// noise control drops its link at that question, and nothing distinguishes it from the others
/// before; a change that they report unprompted makes theirs known.
public struct EdifierProtocol: PlainFramedProtocol {
  public typealias Frame = EdifierFrame

  public static let name = "Edifier"

  /// EDF00000-EDFE-DFED-FEDF-EDFEDFEDFEDF.
  public static let service = BluetoothUUID(
    high: 0xEDF0_0000_EDFE_DFED, low: 0xFEDF_EDFE_DFED_FEDF)

  private enum Command {
    static let setNoise: UInt8 = 0xC1
    static let noise: UInt8 = 0xCC
    static let battery: UInt8 = 0xD0
    static let buds: UInt8 = 0xF2
  }

  var reader = FrameReader(EdifierFrame.format)
  private(set) var reported = ReportedValues()
  private var round = 0
  private var noise: EdifierNoise?

  init() {}

  public var isRecognised: Bool { !reported.batteries.isEmpty }

  public var information: DeviceInformation { DeviceInformation(manufacturer: "Edifier") }

  // MARK: Asking

  /// The battery: of one, or of both buds.
  public mutating func questions() -> [Exchange] {
    (reported, round, noise) = (ReportedValues(), 0, nil)
    return [
      Exchange(
        EdifierFrame(.phone, Command.battery).encoded(),
        EdifierFrame(.phone, Command.buds).encoded(), response: ResponseID(UInt16(Command.battery)))
    ]
  }

  /// Whether there are buds after all, then noise control, of a headphone with one battery.
  public mutating func furtherQuestions() -> [Exchange] {
    guard isRecognised, reported.batteries[.right] == nil else { return [] }
    round += 1
    return round == 1 ? [ask(Command.buds)] : round == 2 ? [ask(Command.noise)] : []
  }

  private func ask(_ command: UInt8) -> Exchange {
    Exchange(EdifierFrame(.phone, command).encoded(), response: ResponseID(UInt16(command)))
  }

  /// The command under the headphone's own number, and behind it the question for what is true then.
  public mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    guard let noise else { throw Self.unsupported }
    let value: UInt8?
    switch command {
    case .setANC(let mode): value = noise.slot.value(of: mode, keeping: noise.value)
    case .set(EdifierNoise.kind.id, .choice(let name)): value = noise.slot.value(named: name)
    default: throw Self.unsupported
    }
    guard let value else { throw .unsupported("such noise control mode") }
    let frame = EdifierFrame(.phone, Command.setNoise, [noise.slot.rawValue, value]).encoded()
    return [ask(Command.noise).after([Exchange(withoutResponse: frame)])]
  }

  // MARK: Receiving

  /// Takes one frame; commands that are not known, and an echo of the phone's own, are skipped.
  mutating func events(
    of frame: EdifierFrame, response: inout ResponseID?
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    guard frame.sender != .phone else { return [] }
    // The first report of a battery answers the first question, whichever it is.
    let isFirst = !isRecognised && frame.command == Command.buds
    let events = try events(of: frame.command, frame.payload)
    response = ResponseID(UInt16(isFirst ? Command.battery : frame.command))
    return events
  }

  private mutating func events(
    of command: UInt8, _ payload: [UInt8]
  ) throws(MalformedBytes) -> [HeadphoneEvent] {
    var reader = ByteReader(payload[...], of: "Edifier payload")
    switch command {
    case Command.battery: return reported.apply(try Self.batteries(of: [.left], &reader))
    case Command.buds:
      // Other first bytes are other tables.
      guard try reader.uint8() == 3 else { return [] }
      return reported.apply(try Self.batteries(of: [.left, .right], &reader))
    case Command.noise:
      let reading = try EdifierNoise(&reader)
      // A headphone has one of the two numberings; the same value means other things in the other.
      guard noise == nil || noise?.slot == reading.slot else {
        throw reader.impossible(reading.slot.rawValue)
      }
      noise = reading
      return reported.apply(reading.slot.kinds, .choice(reading.name))
        + reported.apply(reading.mode)
    default: return []
    }
  }

  private static func batteries(
    of parts: [Part], _ reader: inout ByteReader
  ) throws(MalformedBytes) -> BatteryLevels {
    var levels = BatteryLevels("Edifier battery")
    for part in parts { levels.add(part, try reader.uint8(), at: reader.offset - 1) }
    return levels
  }
}
