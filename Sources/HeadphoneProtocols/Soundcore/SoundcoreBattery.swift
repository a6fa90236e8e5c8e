public import BluetoothCodec

/// The battery level of one device, or of the left and the right bud, in steps.
///
/// One byte for each: 0 to ``steps``.
public struct SoundcoreBattery: Hashable, Sendable {
  /// The step of a full battery; the headphone reports no percentage.
  public static let steps: UInt8 = 5

  /// One level, or left and right.
  public var levels: [UInt8]

  /// Decodes a frame's body of one byte, or two.
  ///
  /// - Throws: `MalformedBytes` for an empty body, and a level above ``steps``.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore battery")
    levels = [try reader.uint8(in: 0...Self.steps)]
    if !reader.isAtEnd { levels.append(try reader.uint8(in: 0...Self.steps)) }
  }
}

/// Whether the device charges, or its left and right bud: one byte for each, 0 or 1.
public struct SoundcoreCharging: Hashable, Sendable {
  /// One value, or left and right.
  public var isCharging: [Bool]

  /// Reads a frame's body of one byte, or two.
  ///
  /// - Throws: for a byte other than 0 and 1.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore charging")
    isCharging = [try reader.flag()]
    if !reader.isAtEnd { isCharging.append(try reader.flag()) }
  }
}
