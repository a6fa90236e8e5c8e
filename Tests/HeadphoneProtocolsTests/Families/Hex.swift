import BluetoothCodec

@testable import HeadphoneProtocols

/// Returns bytes such as "55 60 01", whose indices do not start at 0, like those from a socket.
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
  /// The exchange that the message answers, for families with at most one.
  var response: ResponseID? { responses.first }
}
