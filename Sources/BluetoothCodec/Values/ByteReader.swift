/// A cursor over received bytes that takes fields and never traps.
///
/// All integers are little-endian. Slices share the storage of the input. Each method throws
/// ``MalformedBytes`` with the offset if the input is too short or a value is not allowed; the
/// reader must not be used after that.
///
/// ```swift
/// var reader = ByteReader(bytes, of: "battery level")
/// let level = try reader.uint8()
/// guard level <= 100 else { throw reader.malformed(.badValue(UInt64(level)), at: 0) }
/// try reader.finish()
/// ```
public struct ByteReader: Sendable {
  /// The name of the decoded structure, for errors.
  public var what: String
  private let bytes: Bytes
  /// The index in `bytes` from which the offsets in errors count.
  private let origin: Int
  private var index: Int
  private let end: Int

  /// Creates a reader at the first byte, for a structure with the name `what`.
  public init(_ bytes: Bytes, of what: String) {
    self.what = what
    self.bytes = bytes
    origin = bytes.startIndex
    index = bytes.startIndex
    end = bytes.endIndex
  }

  private init(_ outer: ByteReader, end: Int) {
    what = outer.what
    bytes = outer.bytes
    origin = outer.origin
    index = outer.index
    self.end = end
  }

  /// The number of bytes taken since the start of the input.
  public var offset: Int { index - origin }

  /// The number of bytes not taken yet.
  public var remaining: Int { end - index }

  public var isAtEnd: Bool { index == end }

  /// Returns an error with a reason and an offset, by default the current one.
  public func malformed(
    _ reason: MalformedBytes.Reason, at offset: Int? = nil
  ) -> MalformedBytes {
    MalformedBytes(what, at: offset ?? self.offset, reason)
  }

  /// Takes the next `count` bytes as a slice of the input.
  public mutating func read(_ count: Int) throws(MalformedBytes) -> Bytes {
    try need(count)
    let slice = bytes[index..<index + count]
    index += count
    return slice
  }

  /// Takes all remaining bytes as a slice of the input.
  public mutating func rest() -> Bytes {
    let slice = bytes[index..<end]
    index = end
    return slice
  }

  /// Takes the next `count` bytes as a separate reader, whose offsets continue those of this one.
  public mutating func section(_ count: Int) throws(MalformedBytes) -> ByteReader {
    try need(count)
    let section = ByteReader(self, end: index + count)
    index += count
    return section
  }

  /// Throws `.trailing` if bytes are left.
  public func finish() throws(MalformedBytes) {
    guard isAtEnd else { throw malformed(.trailing(count: remaining)) }
  }

  /// Takes one byte.
  public mutating func uint8() throws(MalformedBytes) -> UInt8 {
    try need(1)
    defer { index += 1 }
    return bytes[index]
  }

  /// Takes one byte in two's complement.
  public mutating func int8() throws(MalformedBytes) -> Int8 {
    Int8(bitPattern: try uint8())
  }

  /// Takes two bytes.
  public mutating func uint16() throws(MalformedBytes) -> UInt16 {
    UInt16(truncatingIfNeeded: try unsigned(2))
  }

  /// Takes three bytes as the lower 24 bits of the result.
  public mutating func uint24() throws(MalformedBytes) -> UInt32 {
    UInt32(truncatingIfNeeded: try unsigned(3))
  }

  /// Takes four bytes.
  public mutating func uint32() throws(MalformedBytes) -> UInt32 {
    UInt32(truncatingIfNeeded: try unsigned(4))
  }

  /// Takes eight bytes.
  public mutating func uint64() throws(MalformedBytes) -> UInt64 { try unsigned(8) }

  /// Takes a byte that must be 0 or 1.
  public mutating func bool() throws(MalformedBytes) -> Bool {
    let raw = try uint8()
    guard raw <= 1 else { throw malformed(.badValue(UInt64(raw)), at: offset - 1) }
    return raw == 1
  }

  /// Takes a byte that must be a raw value of an enumeration.
  public mutating func choice<Choice: RawRepresentable>(
    _: Choice.Type
  ) throws(MalformedBytes) -> Choice where Choice.RawValue == UInt8 {
    let raw = try uint8()
    guard let choice = Choice(rawValue: raw) else {
      throw malformed(.badValue(UInt64(raw)), at: offset - 1)
    }
    return choice
  }

  /// Takes the 6 bytes of an address.
  public mutating func address() throws(MalformedBytes) -> BluetoothAddress {
    BluetoothAddress(value: try unsigned(6))
  }

  /// Takes a UUID of 2, 4 or 16 bytes; any other `count` throws.
  public mutating func uuid(_ count: Int) throws(MalformedBytes) -> BluetoothUUID {
    switch count {
    case 2: return .bit16(try uint16())
    case 4: return .bit32(try uint32())
    case 16:
      let low = try uint64()
      return BluetoothUUID(high: try uint64(), low: low)
    default: throw malformed(.badLength(count))
    }
  }

  private mutating func unsigned(_ count: Int) throws(MalformedBytes) -> UInt64 {
    try need(count)
    var value: UInt64 = 0
    var position = index + count
    while position > index {
      position -= 1
      value = value << 8 | UInt64(bytes[position])
    }
    index += count
    return value
  }

  private func need(_ count: Int) throws(MalformedBytes) {
    guard count >= 0 else { throw malformed(.badLength(count)) }
    guard count <= remaining else {
      throw malformed(.truncated(needed: count, available: remaining))
    }
  }
}
