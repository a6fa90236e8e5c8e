public import BluetoothCodec

/// A frame of Huawei's and Honor's headphones: `5A length(BE16) 00 group command fields crc(BE16)`.
///
/// A field is a type, a length and a value; a question names the types that it wants, without values.
public struct HuaweiFrame: Hashable, Sendable {
  /// One of a frame's values.
  public struct Field: Hashable, Sendable {
    /// By the command's own numbering.
    public var type: UInt8
    /// At most 255 bytes.
    public var value: Bytes

    /// A field with a value; without one, the field is asked for.
    public init(_ type: UInt8, _ value: [UInt8] = []) {
      self.type = type
      self.value = value.prefix(Int(UInt8.max))
    }
  }

  static let format = FrameFormat(
    marker: [0x5A], length: .init(at: 0, width: 2, isBigEndian: true, adding: 5),
    check: .xmodem(skipping: 0, isBigEndian: true), longest: 1024)

  /// Group and command as one number.
  public var command: UInt16
  /// In the order of the frame.
  public var fields: [Field]

  /// A frame of either side.
  public init(_ command: UInt16, _ fields: [Field] = []) {
    self.command = command
    self.fields = fields
  }

  /// - Throws: for a wrong length or checksum, and for a field that the frame cuts off.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Huawei frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    _ = try reader.take(2)
    _ = try reader.uint8(in: 0...0)
    command = try reader.uint16().byteSwapped
    fields = []
    while !reader.isAtEnd {
      let type = try reader.uint8()
      fields.append(Field(type, Array(try reader.take(Int(try reader.uint8())))))
    }
  }

  /// The whole frame.
  public func encoded() -> [UInt8] {
    let head = [0, 0, 0, UInt8(command >> 8), UInt8(truncatingIfNeeded: command)]
    return Self.format.frame(
      around: head + fields.flatMap { [$0.type, UInt8(clamping: $0.value.count)] + $0.value })
  }

  /// The value of the first field of a type that has one.
  subscript(type: UInt8) -> Bytes? { fields.first { $0.type == type && !$0.value.isEmpty }?.value }
}
