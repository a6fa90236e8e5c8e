/// The content of a btsnoop file's records (RFC 1761's Datalink Type, with Bluetooth's numbers).
public struct BtsnoopDatalink: RawRepresentable, Hashable, Sendable {
  /// The number in the header.
  public var rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// HCI packets without their packet type.
  public static let unencapsulated = BtsnoopDatalink(rawValue: 1001)
  /// HCI packets with their packet type, as on a UART transport (H4).
  public static let uart = BtsnoopDatalink(rawValue: 1002)
  /// Packets and notes of the Linux kernel's monitor channel.
  public static let monitor = BtsnoopDatalink(rawValue: 2001)
}

/// The time of a record: µs since midnight, 1 January 0 AD.
public struct BtsnoopTime: Hashable, Sendable, Comparable {
  /// The number of microseconds since midnight, 1 January 0 AD; see ``unixEpoch``.
  public var microseconds: UInt64

  public init(microseconds: UInt64) { self.microseconds = microseconds }

  /// 1970-01-01 00:00:00 UTC, with the number that all tools use; by the calendar it is 12 days
  /// off.
  public static let unixEpoch = BtsnoopTime(microseconds: 0x00DC_DDB3_0F2F_8000)

  /// A time from µs since 1970.
  public init(microsecondsSince1970 microseconds: Int64) {
    self.microseconds = Self.unixEpoch.microseconds &+ UInt64(bitPattern: microseconds)
  }

  /// The number of microseconds since 1970; negative before.
  public var microsecondsSince1970: Int64 {
    Int64(bitPattern: microseconds &- Self.unixEpoch.microseconds)
  }

  public static func < (a: BtsnoopTime, b: BtsnoopTime) -> Bool {
    a.microseconds < b.microseconds
  }
}
