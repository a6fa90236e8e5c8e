internal import BluetoothCodec

/// Bytes as people write them in a log: "03 04".
func hexadecimal(_ bytes: Bytes) -> String {
  bytes.map { hexadecimal($0, width: 2) }.joined(separator: " ")
}
