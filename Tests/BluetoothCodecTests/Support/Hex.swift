import BluetoothCodec
import Testing

/// The bytes that pairs of digits stand for; blanks are for the eye.
///
/// They are the middle of a larger array, so that a decoder which assumes that a slice starts at 0
/// or ends with its array is found out.
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

/// The same bytes as a slice with foreign ones on both sides.
func embedded(_ bytes: some Collection<UInt8>) -> Bytes {
  var array: [UInt8] = [0xEE, 0xEE, 0xEE]
  array += bytes
  array += [0xEE, 0xEE]
  return array[3..<array.count - 2]
}

/// The digits of bytes, as a failure shows them.
func digits(_ bytes: some Sequence<UInt8>) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
    .joined(separator: " ")
}
