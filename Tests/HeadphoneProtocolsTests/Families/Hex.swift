import BluetoothCodec

@testable import HeadphoneProtocols

/// "55 60 01" as bytes that do not begin at index 0, as those from a socket do not.
func recorded(_ text: String) -> Bytes {
  let digits = text.filter { !$0.isWhitespace }
  var bytes: [UInt8] = [0xEE]
  var rest = digits[...]
  while !rest.isEmpty {
    bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
    rest = rest.dropFirst(2)
  }
  return bytes.dropFirst()
}

extension ParsedMessage {
  /// The exchange that the message answers, of families in which it answers one at most.
  var response: ResponseID? { responses.first }
}
