public import BluetoothCodec

/// The Battery Level Status characteristic (2BED; Battery Service 1.1, 3.2).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | flags: identifier (bit 0), level (bit 1) present |
/// | 1 | 2 | power state: charging in bits 5 and 6 |
/// | 3 | 2 | identifier, if present |
/// | | 1 | level in %, if present |
public struct BatteryLevelStatus: Hashable, Sendable {
  /// Whether the battery is charging, or nil if unknown.
  public var isCharging: Bool?
  /// The level in %, or nil if the status does not contain it.
  public var level: UInt8?

  /// Decodes a status, or throws for a level above 100 %.
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
