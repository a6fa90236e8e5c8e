/// What the records of a btsnoop file hold (RFC 1761's Datalink Type, Bluetooth's numbers).
public struct BtsnoopDatalink: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// HCI packets without their type byte.
  public static let unencapsulated = BtsnoopDatalink(rawValue: 1001)
  /// HCI packets after their type byte.
  public static let uart = BtsnoopDatalink(rawValue: 1002)
  /// What the Linux kernel's monitor channel gives.
  public static let monitor = BtsnoopDatalink(rawValue: 2001)
}

/// When a record was captured: µs since the midnight that began the year 0.
public struct BtsnoopTime: Hashable, Sendable, Comparable {
  /// Since the midnight that began the year 0; ``unixEpoch`` has the number of 1970.
  public var microseconds: UInt64

  public init(microseconds: UInt64) { self.microseconds = microseconds }

  /// 1970-01-01 00:00:00 UTC, as all tools have it; by the calendar it is 12 days off.
  public static let unixEpoch = BtsnoopTime(microseconds: 0x00DC_DDB3_0F2F_8000)

  /// µs since 1970.
  public init(microsecondsSince1970 microseconds: Int64) {
    self.microseconds = Self.unixEpoch.microseconds &+ UInt64(bitPattern: microseconds)
  }

  /// µs; negative before 1970.
  public var microsecondsSince1970: Int64 {
    Int64(bitPattern: microseconds &- Self.unixEpoch.microseconds)
  }

  public static func < (a: BtsnoopTime, b: BtsnoopTime) -> Bool {
    a.microseconds < b.microseconds
  }
}
