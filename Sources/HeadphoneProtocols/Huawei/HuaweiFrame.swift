public import BluetoothCodec

/// A frame of Huawei's and Honor's headphones.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | marker | 5A |
/// | 1 | 2 | length | BE; bytes of the rest without the checksum: 1 + 2 + fields |
/// | 3 | 1 | zero | 00 |
/// | 4 | 2 | command | group, then number |
/// | 6 | n | fields | type, length, value each |
/// | 6 + n | 2 | checksum | CRC-16/XMODEM over all before it, BE |
///
/// A query lists the requested fields with a length of 0. Recorded from battery reports, and
/// published in another project's tests.
///
/// ```swift
/// // 5A 00 09 00 01 08 01 00 02 00 03 00 FB B9: battery, of all, of each part, charging?
/// HuaweiFrame(0x0108, [.init(1), .init(2), .init(3)]).encoded()
/// ```
public struct HuaweiFrame: UniformFrame {
  /// A value of a frame, with its type.
  public struct Field: Hashable, Sendable {
    /// The type, in the numbering of the command.
    public var type: UInt8
    /// The value, at most 255 bytes; empty in a query.
    public var value: Bytes

    /// Creates a field, with a value truncated to 255 bytes.
    public init(_ type: UInt8, _ value: [UInt8] = []) {
      self.type = type
      self.value = value.prefix(Int(UInt8.max))
    }
  }

  package static let format = FrameFormat(
    marker: [0x5A], length: .init(at: 0, width: 2, isBigEndian: true, adding: 5),
    check: .xmodem(skipping: 0, isBigEndian: true), longest: 1024)

  /// The group in the high byte, the number in the low one.
  public var command: UInt16
  /// The fields in the order of the frame; a type may occur more than once.
  public var fields: [Field]

  public init(_ command: UInt16, _ fields: [Field] = []) {
    self.command = command
    self.fields = fields
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Huawei frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    _ = try reader.read(2)
    _ = try reader.uint8(in: 0...0)
    command = try reader.uint16().byteSwapped
    fields = []
    while !reader.isAtEnd {
      let type = try reader.uint8()
      fields.append(Field(type, Array(try reader.read(Int(try reader.uint8())))))
    }
  }

  public func encoded() -> [UInt8] {
    let head = [0, 0, 0, UInt8(command >> 8), UInt8(truncatingIfNeeded: command)]
    return Self.format.frame(
      around: head + fields.flatMap { [$0.type, UInt8(clamping: $0.value.count)] + $0.value })
  }

  /// Returns the frame with other values of the same length, or nil if `bytes` are malformed.
  public static func frame(_ bytes: Bytes, changing change: (Bytes) -> [UInt8]) -> [UInt8]? {
    guard var frame = try? Self(decoding: bytes) else { return nil }
    frame.fields = frame.fields.map { Field($0.type, change($0.value)) }
    return frame.encoded()
  }

  /// The first value of a type, or nil if there is none or it is empty.
  subscript(type: UInt8) -> Bytes? { fields.first { $0.type == type && !$0.value.isEmpty }?.value }
}
