/// Returns a number in upper-case hexadecimal digits, padded with zeros to `width`.
package func hexadecimal(_ value: some BinaryInteger, width: Int) -> String {
  let digits = String(value, radix: 16, uppercase: true)
  return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
}

/// Returns the number with exactly `count` hexadecimal digits, or nil for any other text.
func number(hexadecimal digits: some StringProtocol, count: Int) -> UInt64? {
  guard digits.utf8.count == count, count <= 16 else { return nil }
  var value: UInt64 = 0
  for digit in digits.utf8 {
    switch digit {
    case 0x30...0x39: value = value << 4 | UInt64(digit - 0x30)
    case 0x41...0x46: value = value << 4 | UInt64(digit - 0x41 + 10)
    case 0x61...0x66: value = value << 4 | UInt64(digit - 0x61 + 10)
    default: return nil
    }
  }
  return value
}
