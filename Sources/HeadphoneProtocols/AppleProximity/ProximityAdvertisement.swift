public import BluetoothCodec

/// What AirPods and Beats tell of themselves with no connection at all: manufacturer data of Apple
/// (004C) that begins with `07 19`.
///
/// Levels are steps of 10 %; the rest of the data is encrypted and stays unread.
public struct ProximityAdvertisement: Hashable, Sendable {
  /// Apple's assigned company identifier.
  public static let company: UInt16 = 0x004C
  /// The message's type and length.
  public static let prefix: [UInt8] = [0x07, 0x19]

  /// For example 0x2014.
  public var model: UInt16
  /// By the maker's numbering; distinguishes two of a model.
  public var colour: UInt8
  /// Parts that report a charge.
  public var batteries: [Part: Battery]
  /// By what the bud says that advertises.
  public var wearing: Wearing
  /// Nil: no bud is in the case to tell.
  public var isCaseOpen: Bool?

  private static let steps: UInt8 = 10

  /// Finds and decodes it among what was advertised; nil if it is not there or makes no sense.
  public init?(_ data: AdvertisingData, _ models: ModelCatalog) {
    guard let bytes = data.manufacturerData(for: Self.company),
      bytes.starts(with: Self.prefix), let decoded = try? Self(decoding: bytes, models)
    else { return nil }
    self = decoded
  }

  /// Decodes manufacturer data without its company.
  ///
  /// - Parameter models: what has a battery, by its model; unknown ones are buds with a case.
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

    // Whoever is primary speaks first; one that lies in the case speaks for the other.
    let isFlipped = !status.contains(.leftIsPrimary)
    let flags = caseAndFlags >> 4
    let shape = models.apple(model)?.shape ?? .budsWithCase
    let left = Self.battery(
      isFlipped ? buds >> 4 : buds & 0xF, isCharging: flags & (isFlipped ? 2 : 1) != 0)
    let right = Self.battery(
      isFlipped ? buds & 0xF : buds >> 4, isCharging: flags & (isFlipped ? 1 : 2) != 0)
    let `case` = Self.battery(caseAndFlags & 0xF, isCharging: flags & 4 != 0)
    batteries = [:]
    switch shape {
    case .headband: batteries[.left] = left ?? right
    case .buds: (batteries[.left], batteries[.right]) = (left, right)
    case .budsWithCase:
      (batteries[.left], batteries[.right], batteries[.case]) = (left, right, `case`)
    }
    let isSwapped = isFlipped != status.contains(.senderInCase)
    let first = status.contains(.firstInEar)
    let second = status.contains(.secondInEar)
    wearing = Wearing(
      left: isSwapped ? second : first,
      right: shape == .headband
        ? (isSwapped ? second : first) : (isSwapped ? first : second))
    let reportsLid =
      shape == .budsWithCase
      && !status.isDisjoint(with: [.senderInCase, .oneInCase, .bothInCase])
    isCaseOpen = reportsLid ? lid & Self.closedBit == 0 : nil
  }

  private static let closedBit: UInt8 = 1 << 3

  private struct Status: OptionSet {
    var rawValue: UInt8

    static let firstInEar = Status(rawValue: 1 << 1)
    static let bothInCase = Status(rawValue: 1 << 2)
    static let secondInEar = Status(rawValue: 1 << 3)
    static let oneInCase = Status(rawValue: 1 << 4)
    static let leftIsPrimary = Status(rawValue: 1 << 5)
    static let senderInCase = Status(rawValue: 1 << 6)
  }

  /// Nil for a level that is unknown, or more than full.
  private static func battery(_ step: UInt8, isCharging: Bool) -> Battery? {
    step <= steps ? Battery(step: step, of: steps, isCharging: isCharging) : nil
  }
}
