/// Returns the OSC 52 sequence that copies text to the terminal's clipboard.
///
/// A terminal does not report whether it did; one that does not know the sequence shows nothing.
/// Base64 keeps the text from ending the sequence.
func clipboardSequence(_ text: String) -> String {
  "\u{1B}]52;c;\(base64(Array(text.utf8)))\u{07}"
}

/// Returns the Base64 encoding with padding, in one line (RFC 4648, section 4).
func base64(_ bytes: [UInt8]) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
    for place in 0...3 {
      let index = Int(bits >> UInt32(18 - 6 * place) & 63)
      text.append(place <= group.count ? letters[index] : "=")
    }
  }
  return text
}
