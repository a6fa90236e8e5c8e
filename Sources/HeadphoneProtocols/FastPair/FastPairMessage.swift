public import BluetoothCodec

/// A message of Google's Fast Pair message stream.
///
/// Published layout ("Message Stream"); integers are big-endian, unlike those of Bluetooth:
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | group |
/// | 1 | 1 | code |
/// | 2 | 2 | length *n* |
/// | 4 | *n* | data |
///
/// ```swift
/// let ring = FastPairMessage(.ring, [0x02])  // 04 01 00 01 02: the left bud
/// ```
public struct FastPairMessage: UniformFrame {
  package static let format = FrameFormat(
    marker: [], length: .init(at: 2, width: 2, isBigEndian: true, adding: headLength),
    longest: 1024)

  /// The group (high byte) and code (low byte) of a message.
  public struct Kind: Hashable, Sendable, RawRepresentable {
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 24 bits.
    public static let model = Kind(rawValue: 0x0301)
    /// The levels of left, right and case, or of the whole, one byte each.
    public static let battery = Kind(rawValue: 0x0303)
    /// The remaining battery time, one or two bytes of minutes.
    public static let remainingTime = Kind(rawValue: 0x0304)
    /// The firmware version as text.
    public static let firmware = Kind(rawValue: 0x0309)
    /// A mask of buds, and optionally a duration in seconds.
    public static let ring = Kind(rawValue: 0x0401)
    /// The kind of the accepted message, and the current state.
    public static let acknowledgement = Kind(rawValue: 0xFF01)
    /// The reason, the kind of the rejected message, and the current state.
    public static let refusal = Kind(rawValue: 0xFF02)

    var response: ResponseID { ResponseID(rawValue) }

    var isKnown: Bool { (1...8).contains(rawValue >> 8) || rawValue >> 8 == 0xFF }
  }

  public var kind: Kind
  /// The data, at most 65,535 bytes.
  public var data: Bytes

  /// The UUID of the service whose serial channel has the stream.
  public static let service = BluetoothUUID(high: 0xDF21_FE2C_2515_4FDB, low: 0x8886_F12C_4D67_927C)

  static let headLength = 4

  public init(_ kind: Kind, _ data: [UInt8] = []) {
    self.kind = kind
    self.data = data[...]
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Fast Pair message")
    kind = Kind(rawValue: try reader.uint16().byteSwapped)
    data = try reader.read(Int(try reader.uint16().byteSwapped))
    try reader.finish()
  }

  /// Returns the bytes of the message, with data truncated to 65,535 bytes.
  public func encoded() -> [UInt8] {
    let data = data.prefix(Int(UInt16.max))
    return [kind.rawValue, UInt16(truncatingIfNeeded: data.count)].flatMap {
      [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)]
    } + data
  }
}
