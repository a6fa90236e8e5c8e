import BluetoothCodec
import Testing

/// Returns the bytes of pairs of digits, ignoring spaces.
///
/// The bytes are the middle of a larger array, to detect decoders that assume that a slice starts
/// at 0 or ends with its array.
func hex(_ text: String) -> Bytes {
  var bytes: [UInt8] = []
  var high: UInt8?
  for character in text where !character.isWhitespace {
    guard let digit = character.hexDigitValue.map(UInt8.init) else {
      Issue.record("\(character) is not a hexadecimal digit")
      continue
    }
    if let upper = high {
      bytes.append(upper << 4 | digit)
      high = nil
    } else {
      high = digit
    }
  }
  #expect(high == nil, "half a byte at the end of \(text)")
  return embedded(bytes)
}

/// Returns the bytes as a slice with other bytes on both sides.
func embedded(_ bytes: some Collection<UInt8>) -> Bytes {
  var array: [UInt8] = [0xEE, 0xEE, 0xEE]
  array += bytes
  array += [0xEE, 0xEE]
  return array[3..<array.count - 2]
}

/// Returns bytes as hexadecimal digits, for failures.
func digits(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    .joined(separator: " ")
}
