public import BluetoothCodec

/// Battery steps of one device, or of the left and the right bud.
public struct SoundcoreBattery: Hashable, Sendable {
  /// Full; the headphone tells no percentage.
  public static let steps: UInt8 = 5

  /// One or two.
  public var levels: [UInt8]

  /// Reads a frame's body of one byte, or two.
  ///
  /// - Throws: for a step above ``steps``.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore battery")
    levels = [try reader.uint8(in: 0...Self.steps)]
    if !reader.isAtEnd { levels.append(try reader.uint8(in: 0...Self.steps)) }
  }
}

/// Whether the device charges, or its left and right bud.
public struct SoundcoreCharging: Hashable, Sendable {
  /// One or two.
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
