extension [UInt8] {
  /// Appends an integer as little-endian bytes.
  public mutating func append<Integer: FixedWidthInteger>(littleEndian value: Integer) {
    var rest = value
    for _ in 0..<Integer.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Appends the 6 bytes of an address, little-endian.
  public mutating func append(_ address: BluetoothAddress) {
    append(littleEndian: UInt32(truncatingIfNeeded: address.value))
    append(littleEndian: UInt16(truncatingIfNeeded: address.value >> 32))
  }

  /// Appends a UUID in the 2 or 16 bytes that it has in ATT PDUs.
  public mutating func append(_ uuid: BluetoothUUID) {
    append(uuid, count: uuid.short16 == nil ? 16 : 2)
  }

  /// Appends a UUID in 2 or 4 bytes if `count` says so and it has that form, or else in 16.
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
  func littleEndianPrefix(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) }
  }
}
