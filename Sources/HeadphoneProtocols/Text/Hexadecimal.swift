package import BluetoothCodec

/// Bytes in hexadecimal with spaces, for example "03 04".
package func hexadecimal(_ bytes: Bytes) -> String {
  bytes.map { hexadecimal($0, width: 2) }.joined(separator: " ")
}
