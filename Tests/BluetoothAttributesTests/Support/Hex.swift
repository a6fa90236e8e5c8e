import BluetoothCodec

/// Returns the bytes of hexadecimal text such as "0A 03 00", ignoring spaces.
func hex(_ text: String) -> Bytes {
  let digits = text.compactMap(\.hexDigitValue)
  return Bytes(
    stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) })
}
