public import BluetoothCodec

/// CRC-32C (Castagnoli), with which the headphone checks each block (RFC 3720, B.4).
public enum CRC32C {
  /// The reflected polynomial 0x1EDC6F41, applied to each byte.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0x82F6_3B78 : rest >> 1 }
  }

  /// The checksum as command 0x52 sends it; 0 of no bytes.
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
