/// A UUID of 16, 32 or 128 bits (Core 5.4, Vol 3, Part B, 2.5.1).
///
/// Short forms are derived from the Bluetooth Base UUID and equal their 128-bit forms:
///
/// ```swift
/// let battery = BluetoothUUID.bit16(0x180F)
/// print(battery == BluetoothUUID("0000180F-0000-1000-8000-00805F9B34FB"))  // true
/// print(battery)  // 180F
/// ```
public struct BluetoothUUID: Hashable, Sendable {
  /// The upper 64 bits of the 128-bit form.
  public let high: UInt64
  /// The lower 64 bits of the 128-bit form.
  public let low: UInt64

  private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB
  private static let baseHigh: UInt64 = 0x0000_0000_0000_1000

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Returns the UUID with this 16-bit form.
  public static func bit16(_ value: UInt16) -> BluetoothUUID { bit32(UInt32(value)) }

  /// Returns the UUID with this 32-bit form.
  public static func bit32(_ value: UInt32) -> BluetoothUUID {
    BluetoothUUID(high: UInt64(value) << 32 | baseHigh, low: baseLow)
  }

  /// The 32-bit form, or nil if the UUID is not derived from the Bluetooth Base UUID.
  public var short32: UInt32? {
    guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return nil }
    return UInt32(high >> 32)
  }

  /// The 16-bit form, or nil if there is none.
  public var short16: UInt16? { short32.flatMap { UInt16(exactly: $0) } }
}
