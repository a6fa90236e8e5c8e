public import BluetoothCodec

/// Battery Level Status (2BED; Battery Service 1.1, 3.2): flags, power state, and what the flags
/// add.
public struct BatteryLevelStatus: Hashable, Sendable {
  /// Nil: the headphone does not know.
  public var isCharging: Bool?
  /// %, where it is part of the status.
  public var level: UInt8?

  /// Reads the flags, the power state, and the level if the flags have it.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "battery level status")
    let flags = try reader.uint8()
    let power = try reader.uint16()
    isCharging =
      switch power >> 5 & 0b11 {
      case 1: true
      case 2, 3: false
      default: nil
      }
    if flags & Self.hasIdentifier != 0 { _ = try reader.uint16() }
    if flags & Self.hasLevel != 0 { level = try reader.uint8(in: 0...100) }
  }

  private static let hasIdentifier: UInt8 = 1 << 0
  private static let hasLevel: UInt8 = 1 << 1
}
