public import BluetoothCodec

/// Apple's advertisement of AirPods and Beats: manufacturer data 004C, type `07`, length `19`.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 2 | 07 19 |
/// | 2 | 1 | unknown |
/// | 3 | 2 | model |
/// | 5 | 1 | status: wearing, case, primary bud |
/// | 6 | 1 | levels of the two buds, 4 bits each |
/// | 7 | 1 | level of the case (bits 0 to 3), charging (4 to 6) |
/// | 8 | 1 | lid: closed in bit 3 |
/// | 9 | 1 | colour |
///
/// Levels are in steps of 10 %; the rest is encrypted. The advertising bud determines which half
/// belongs to which bud. A headband has its one battery in the lower half.
public struct ProximityAdvertisement: Hashable, Sendable {
  public static let company: UInt16 = 0x004C
  /// The type and length of the message.
  public static let prefix: [UInt8] = [0x07, 0x19]

  /// Apple's number of the model, such as 0x2014.
  public var model: UInt16
  /// The colour, by the maker's numbering.
  public var colour: UInt8
  /// The levels; a part whose level is unknown is missing.
  public var batteries: [Part: Battery]
  /// The wearing state, as the advertising bud reports it.
  public var wearing: Wearing
  /// Whether the case is open, or nil if no bud is in the case to report it.
  public var isCaseOpen: Bool?

  private static let steps: UInt8 = 10

  /// Decodes the data in an advertisement, or fails if it is missing or malformed.
  public init?(_ data: AdvertisingData, _ models: ModelCatalog) {
    guard let bytes = data.manufacturerData(for: Self.company),
      bytes.starts(with: Self.prefix), let decoded = try? Self(decoding: bytes, models)
    else { return nil }
    self = decoded
  }

  /// Decodes 27 bytes or more after the company identifier; unknown models are buds with a case.
  public init(decoding bytes: Bytes, _ models: ModelCatalog) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "proximity advertisement")
    _ = try reader.uint8(in: Self.prefix[0]...Self.prefix[0])
    let length = try reader.uint8(in: Self.prefix[1]...Self.prefix[1])
    guard bytes.count >= Int(length) + 2 else {
      throw reader.malformed(.truncated(needed: Int(length) + 2, available: bytes.count))
    }
    _ = try reader.uint8()
    model = try reader.uint16()
    let status = Status(rawValue: try reader.uint8())
    let buds = try reader.uint8()
    let caseAndFlags = try reader.uint8()
    let lid = try reader.uint8()
    colour = try reader.uint8()

    let shape = models.apple(model)?.shape ?? .budsWithCase
    // The primary bud comes first; a bud in the case reports for the other one.
    let isFlipped = shape != .headband && !status.contains(.leftIsPrimary)
    let flags = caseAndFlags >> 4
    let left = Self.battery(
      isFlipped ? buds >> 4 : buds & 0xF, isCharging: flags & (isFlipped ? 2 : 1) != 0)
    let right = Self.battery(
      isFlipped ? buds & 0xF : buds >> 4, isCharging: flags & (isFlipped ? 1 : 2) != 0)
    let `case` = Self.battery(caseAndFlags & 0xF, isCharging: flags & 4 != 0)
    batteries = [:]
    switch shape {
    case .headband: batteries[.left] = left
    case .buds: (batteries[.left], batteries[.right]) = (left, right)
    case .budsWithCase:
      (batteries[.left], batteries[.right], batteries[.case]) = (left, right, `case`)
    }
    let isSwapped = isFlipped != (shape != .headband && status.contains(.senderInCase))
    let first = status.contains(.firstInEar)
    let second = shape == .headband ? first : status.contains(.secondInEar)
    wearing = Wearing(left: isSwapped ? second : first, right: isSwapped ? first : second)
    let reportsLid =
      shape == .budsWithCase
      && !status.isDisjoint(with: [.senderInCase, .oneInCase, .bothInCase])
    isCaseOpen = reportsLid ? lid & Self.closedBit == 0 : nil
  }

  private static let closedBit: UInt8 = 1 << 3

  /// The status bits, with "first" and "second" as seen from the advertising bud.
  private struct Status: OptionSet {
    var rawValue: UInt8

    static let firstInEar = Status(rawValue: 1 << 1)
    static let bothInCase = Status(rawValue: 1 << 2)
    static let secondInEar = Status(rawValue: 1 << 3)
    static let oneInCase = Status(rawValue: 1 << 4)
    static let leftIsPrimary = Status(rawValue: 1 << 5)
    static let senderInCase = Status(rawValue: 1 << 6)
  }

  /// Returns a level, or nil if it is unknown (15) or invalid.
  private static func battery(_ step: UInt8, isCharging: Bool) -> Battery? {
    step <= steps ? Battery(step: step, of: steps, isCharging: isCharging) : nil
  }
}
