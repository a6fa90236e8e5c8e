public import BluetoothCodec

/// The CRC-32C (Castagnoli) checksum, by which the headphone checks each block (RFC 3720, B.4).
///
/// ```swift
/// CRC32C.checksum(of: Array("123456789".utf8)[...])  // 0xE306_9283
/// ```
public enum CRC32C {
  /// The remainders of all bytes by the polynomial 0x1EDC6F41, reflected.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0x82F6_3B78 : rest >> 1 }
  }

  /// Returns the checksum as in command 0x52; 0 for no bytes.
  public static func checksum(of bytes: Bytes) -> UInt32 {
    let rest = table.withUnsafeBufferPointer { table in
      bytes.withUnsafeBufferPointer { bytes in
        var rest = UInt32.max
        for byte in bytes {
          rest = rest >> 8 ^ table[Int(UInt8(truncatingIfNeeded: rest) ^ byte)]
        }
        return rest
      }
    }
    return ~rest
  }
}
