package import BluetoothCodec

/// A Protocol Buffers message without its schema: numbered fields in any order.
package struct ProtobufMessage: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case varint(UInt64)
    case fixed64(UInt64)
    case bytes([UInt8])
    case fixed32(UInt32)
  }

  private enum WireType {
    static let varint: UInt64 = 0
    static let fixed64: UInt64 = 1
    static let bytes: UInt64 = 2
    static let fixed32: UInt64 = 5
  }

  package private(set) var fields: [(number: Int, value: Value)] = []

  package init(_ fields: [(number: Int, value: Value)] = []) { self.fields = fields }

  package init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Protocol Buffers message")
    while !reader.isAtEnd {
      let tag = try Self.varint(&reader)
      let value: Value
      switch tag & 7 {
      case WireType.varint: value = .varint(try Self.varint(&reader))
      case WireType.fixed64: value = .fixed64(try reader.uint64())
      case WireType.bytes:
        let count = try Self.varint(&reader)
        value = .bytes(Array(try reader.read(Int(min(count, UInt64(Int32.max))))))
      case WireType.fixed32: value = .fixed32(try reader.uint32())
      default: throw reader.malformed(.unknownType(tag & 7))
      }
      fields.append((Int(truncatingIfNeeded: min(tag >> 3, UInt64(Int32.max))), value))
    }
  }

  private static func varint(_ reader: inout ByteReader) throws(MalformedBytes) -> UInt64 {
    var value: UInt64 = 0
    for shift: UInt64 in stride(from: 0, through: 63, by: 7) {
      let byte = try reader.uint8()
      value |= UInt64(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    throw reader.malformed(.badLength(10))
  }

  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    func append(varint value: UInt64) {
      var rest = value
      while rest > 0x7F {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
    for (number, value) in fields {
      let tag = UInt64(number) << 3
      switch value {
      case .varint(let value):
        append(varint: tag | WireType.varint)
        append(varint: value)
      case .fixed64(let value):
        append(varint: tag | WireType.fixed64)
        bytes.append(littleEndian: value)
      case .bytes(let value):
        append(varint: tag | WireType.bytes)
        append(varint: UInt64(value.count))
        bytes += value
      case .fixed32(let value):
        append(varint: tag | WireType.fixed32)
        bytes.append(littleEndian: value)
      }
    }
    return bytes
  }

  package static func == (a: ProtobufMessage, b: ProtobufMessage) -> Bool {
    a.fields.elementsEqual(b.fields) { $0 == $1 }
  }

  package func hash(into hasher: inout Hasher) {
    for (number, value) in fields {
      hasher.combine(number)
      hasher.combine(value)
    }
  }

  // MARK: Fields by number; of several with one number, the last counts

  private subscript(number: Int) -> Value? { fields.last { $0.number == number }?.value }

  /// Returns the number in a field, or nil if the field is absent or of another type.
  package func number(_ field: Int) -> UInt64? {
    if case .varint(let value)? = self[field] { value } else { nil }
  }

  package func fixed32(_ field: Int) -> UInt32? {
    if case .fixed32(let value)? = self[field] { value } else { nil }
  }

  package func bytes(_ field: Int) -> [UInt8]? {
    if case .bytes(let value)? = self[field] { value } else { nil }
  }

  /// Returns the message in a field, or nil if the field is absent or of another type.
  package func message(_ field: Int) throws(MalformedBytes) -> ProtobufMessage? {
    guard let bytes = bytes(field) else { return nil }
    return try ProtobufMessage(decoding: bytes[...])
  }
}
