package import BluetoothCodec

/// Returns bytes in hexadecimal, separated by spaces: "03 04".
package func hexadecimal(_ bytes: Bytes) -> String {
  bytes.map { hexadecimal($0, width: 2) }.joined(separator: " ")
}
