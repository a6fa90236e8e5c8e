/// A data element of service discovery (Core 5.4, Vol 3, Part B, 3).
///
/// Unlike in other Bluetooth protocols, integers are big-endian. The first octet has the type in
/// bits 3 to 7 and the size index in bits 0 to 2:
///
/// | size index | data |
/// | --- | --- |
/// | 0 to 4 | 1, 2, 4, 8 or 16 octets; none for type 0 |
/// | 5, 6, 7 | a length of 1, 2 or 4 octets, then as many |
public enum SDPElement: Hashable, Sendable {
  /// An unsigned integer (type 1) of 1 to 8 bytes.
  case unsigned(UInt64)
  /// A UUID (type 3) of 2, 4 or 16 bytes.
  case uuid(BluetoothUUID)
  case sequence([SDPElement])
  /// An element of any other type or length.
  case other(type: UInt8, Bytes)

  private static let unsignedType: UInt8 = 1
  private static let uuidType: UInt8 = 3
  private static let sequenceType: UInt8 = 6
  /// The greatest nesting depth of sequences, which records do not need and the stack can bear.
  private static let deepest = 8

  init(_ reader: inout ByteReader, depth: Int = 0) throws(MalformedBytes) {
    let place = reader.offset
    let head = try reader.uint8()
    let length =
      switch head & 0b111 {
      case 0: head == 0 ? 0 : 1
      case 1: 2
      case 2: 4
      case 3: 8
      case 4: 16
      case 5: Int(try reader.uint8())
      case 6: Int(try reader.uint16().byteSwapped)
      default: Int(try reader.uint32().byteSwapped)
      }
    switch (head >> 3, length) {
    case (Self.unsignedType, 1...8):
      self = .unsigned(try reader.read(length).reduce(0) { $0 << 8 | UInt64($1) })
    case (Self.uuidType, 2), (Self.uuidType, 4), (Self.uuidType, 16):
      let reversed = Array(try reader.read(length).reversed())
      self = .uuid(try BluetoothUUID(littleEndian: reversed[...]))
    case (Self.sequenceType, _):
      guard depth < Self.deepest else { throw reader.malformed(.badLength(depth), at: place) }
      var inner = try reader.section(length)
      var elements: [SDPElement] = []
      while !inner.isAtEnd { elements.append(try SDPElement(&inner, depth: depth + 1)) }
      self = .sequence(elements)
    default: self = .other(type: head >> 3, try reader.read(length))
    }
  }

  /// Returns the element's bytes, with integers of `width` bytes: 2 for attribute IDs.
  func encoded(width: Int = 2) -> [UInt8] {
    switch self {
    case .unsigned(let value):
      let size: UInt8 = width == 1 ? 0 : width == 2 ? 1 : width == 4 ? 2 : 3
      return [Self.unsignedType << 3 | size] + Self.bigEndian(value, max(1, width))
    case .uuid(let uuid):
      let bytes = uuid.littleEndianBytes
      return [Self.uuidType << 3 | (bytes.count == 2 ? 1 : 4)] + bytes.reversed()
    case .sequence(let elements):
      let content = elements.flatMap { $0.encoded(width: width) }
      return [Self.sequenceType << 3 | 6] + Self.bigEndian(UInt64(content.count), 2) + content
    case .other(let type, let bytes):
      return [type << 3 | 5] + Self.bigEndian(UInt64(bytes.count), 1) + bytes
    }
  }

  static func bigEndian(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
