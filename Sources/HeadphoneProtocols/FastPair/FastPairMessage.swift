public import BluetoothCodec

/// A message of Google's Fast Pair message stream.
///
/// Published layout ("Message Stream"): a group, a code, and the length of the data, 16 bits;
/// integers are big-endian, unlike Bluetooth's own.
public struct FastPairMessage: Hashable, Sendable {
  /// Group and code as one number, which says what a message is about.
  public struct Kind: Hashable, Sendable, RawRepresentable {
    public var rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// "Device information": 24 bits.
    public static let model = Kind(rawValue: 0x0301)
    /// Of left, right and case, or of the whole; a byte for each.
    public static let battery = Kind(rawValue: 0x0303)
    /// Text.
    public static let firmware = Kind(rawValue: 0x0309)
    /// "Device action": a mask of buds, and perhaps for how many seconds.
    public static let ring = Kind(rawValue: 0x0401)
    /// The kind of what was taken, and its state now.
    public static let acknowledgement = Kind(rawValue: 0xFF01)
    /// Why not, the kind of what was not taken, and its state now.
    public static let refusal = Kind(rawValue: 0xFF02)

    /// By which an exchange knows it, or its acknowledgement.
    var answer: AnswerID { AnswerID(rawValue) }

    /// Nobody has described messages of other groups.
    var isKnown: Bool { (1...8).contains(rawValue >> 8) || rawValue >> 8 == 0xFF }
  }

  /// What it is about.
  public var kind: Kind
  /// As the kind has it; at most 65,535 bytes.
  public var data: Bytes

  /// The UUID of the service whose serial channel carries the stream.
  public static let service = BluetoothUUID(high: 0xDF21_FE2C_2515_4FDB, low: 0x8886_F12C_4D67_927C)

  /// Bytes of group, code and length.
  static let headLength = 4

  /// Many messages have no data.
  public init(_ kind: Kind, _ data: [UInt8] = []) {
    self.kind = kind
    self.data = data[...]
  }

  /// Reads one whole message.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Fast Pair message")
    kind = Kind(rawValue: try reader.uint16().byteSwapped)
    data = try reader.take(Int(try reader.uint16().byteSwapped))
    try reader.finish()
  }

  /// The whole message; data beyond 65,535 bytes is cut.
  public func encoded() -> [UInt8] {
    let data = data.prefix(Int(UInt16.max))
    return [kind.rawValue, UInt16(truncatingIfNeeded: data.count)].flatMap {
      [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)]
    } + data
  }
}
