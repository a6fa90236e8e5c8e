extension [UInt8] {
  /// Appends an integer as little-endian bytes.
  public mutating func append<Integer: FixedWidthInteger>(littleEndian value: Integer) {
    var rest = value
    for _ in 0..<Integer.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Appends an address's 6 bytes, little-endian.
  public mutating func append(_ address: BluetoothAddress) {
    append(littleEndian: UInt32(truncatingIfNeeded: address.value))
    append(littleEndian: UInt16(truncatingIfNeeded: address.value >> 32))
  }

  /// Appends a UUID in the 2 or 16 bytes that ATT has for it.
  public mutating func append(_ uuid: BluetoothUUID) {
    append(uuid, count: uuid.short16 == nil ? 16 : 2)
  }

  /// Appends a UUID in `count` bytes, 2 or 4 where it has that form; else 16.
  mutating func append(_ uuid: BluetoothUUID, count: Int) {
    if count == 2, let short = uuid.short16 {
      append(littleEndian: short)
    } else if count == 4, let short = uuid.short32 {
      append(littleEndian: short)
    } else {
      append(littleEndian: uuid.low)
      append(littleEndian: uuid.high)
    }
  }
}

extension FixedWidthInteger {
  /// The `count` least significant bytes, least significant first.
  func littleEndianPrefix(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}
