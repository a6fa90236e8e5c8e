internal import BluetoothCodec

/// Reads little-endian fields from bytes off the air; each read past the end is an error.
struct WireReader {
  let what: String
  private let start: Int
  private var rest: Bytes

  init(_ bytes: Bytes, as what: String) {
    self.what = what
    start = bytes.startIndex
    rest = bytes
  }

  /// Offset in bytes from the start of the input.
  var offset: Int { rest.startIndex - start }

  var remaining: Int { rest.count }

  mutating func byte() throws(MalformedBytes) -> UInt8 {
    let field = try bytes(1)
    return field[field.startIndex]
  }

  mutating func word() throws(MalformedBytes) -> UInt16 {
    let field = try bytes(2)
    return field.reversed().reduce(0) { $0 << 8 | UInt16($1) }
  }

  mutating func double() throws(MalformedBytes) -> UInt32 {
    let field = try bytes(4)
    return field.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  mutating func bytes(_ count: Int) throws(MalformedBytes) -> Bytes {
    guard count <= rest.count else {
      throw MalformedBytes(what, at: offset, .truncated(needed: count, available: rest.count))
    }
    let field = rest.prefix(count)
    rest = rest.dropFirst(count)
    return field
  }

  /// A byte that must be one of a list's raw values.
  mutating func value<T: RawRepresentable<UInt8>>(
    of type: T.Type
  ) throws(MalformedBytes) -> T {
    let raw = try byte()
    guard let value = T(rawValue: raw) else { throw impossible(raw) }
    return value
  }

  /// A byte that must be 0 or 1.
  mutating func flag() throws(MalformedBytes) -> Bool {
    let raw = try byte()
    guard raw <= 1 else { throw impossible(raw) }
    return raw == 1
  }

  /// A byte that must lie in a range.
  mutating func byte(in range: ClosedRange<UInt8>) throws(MalformedBytes) -> UInt8 {
    let raw = try byte()
    guard range.contains(raw) else { throw impossible(raw) }
    return raw
  }

  /// A count and as many gains of one byte each.
  mutating func gains() throws(MalformedBytes) -> [BandGain] {
    let count = Int(try byte())
    var gains: [BandGain] = []
    for _ in 0..<count {
      let raw = try byte()
      guard let gain = BandGain(halfDecibels: Int8(bitPattern: raw)) else { throw impossible(raw) }
      gains.append(gain)
    }
    return gains
  }

  /// The error that the byte just read is out of range.
  private func impossible(_ raw: UInt8) -> MalformedBytes {
    MalformedBytes(what, at: offset - 1, .badValue(UInt64(raw)))
  }
}

/// A count and the gains, as events and commands carry them.
func encodedGains(_ gains: [BandGain]) -> [UInt8] {
  let sent = gains.prefix(Int(UInt8.max))
  return [UInt8(sent.count)] + sent.map { UInt8(bitPattern: $0.halfDecibels) }
}

/// Little-endian bytes of an integer.
func littleEndian<T: FixedWidthInteger & UnsignedInteger>(_ value: T) -> [UInt8] {
  stride(from: 0, to: T.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: value >> $0) }
}
