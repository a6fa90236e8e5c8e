extension BluetoothUUID: LosslessStringConvertible, CustomStringConvertible {
  /// Parses "180F", "0x180F", 8 digits, or the long form with hyphens, in either case, or fails.
  public init?(_ text: String) {
    let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
    if let short = number(hexadecimal: digits, count: 4) {
      self = .bit16(UInt16(truncatingIfNeeded: short))
    } else if let short = number(hexadecimal: digits, count: 8) {
      self = .bit32(UInt32(truncatingIfNeeded: short))
    } else {
      let groups = text.split(separator: "-", omittingEmptySubsequences: false)
      guard groups.count == 5,
        let a = number(hexadecimal: groups[0], count: 8),
        let b = number(hexadecimal: groups[1], count: 4),
        let c = number(hexadecimal: groups[2], count: 4),
        let d = number(hexadecimal: groups[3], count: 4),
        let e = number(hexadecimal: groups[4], count: 12)
      else { return nil }
      self.init(high: a << 32 | b << 16 | c, low: d << 48 | e)
    }
  }

  /// The shortest form: 4 digits, 8 digits, or "12345678-1234-5678-1234-56789ABCDEF0".
  public var description: String {
    if let short = short16 { return hexadecimal(short, width: 4) }
    if let short = short32 { return hexadecimal(short, width: 8) }
    return [
      hexadecimal(high >> 32, width: 8), hexadecimal(high >> 16 & 0xFFFF, width: 4),
      hexadecimal(high & 0xFFFF, width: 4), hexadecimal(low >> 48, width: 4),
      hexadecimal(low & 0xFFFF_FFFF_FFFF, width: 12),
    ].joined(separator: "-")
  }
}

extension BluetoothUUID {
  /// Decodes 2, 4 or 16 bytes, least significant first; throws for any other number.
  public init(littleEndian bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "UUID")
    self = try reader.uuid(bytes.count)
  }

  /// The form in ATT PDUs: 2 bytes if there is a 16-bit form, or else 16; least significant first.
  ///
  /// ATT has no 32-bit form (Core 5.4, Vol 3, Part F, 3.2.1).
  public var littleEndianBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(self)
    return bytes
  }

  /// The 16 bytes of the 128-bit form, least significant first.
  public var longLittleEndianBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(self, count: 16)
    return bytes
  }
}
