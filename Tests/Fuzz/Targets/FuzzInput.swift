import BluetoothCodec

/// The bytes of an input, consumed as decisions and messages; 0 and empty at the end.
struct FuzzInput: Sendable {
  private var bytes: Bytes

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var isEmpty: Bool { bytes.isEmpty }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  mutating func word() -> UInt16 { UInt16(byte()) | UInt16(byte()) << 8 }

  /// Returns a message of up to 255 bytes: a length and the content.
  mutating func chunk() -> Bytes {
    let count = min(Int(byte()), bytes.count)
    defer { bytes = bytes.dropFirst(count) }
    // With indices of its own, as a message from a socket has.
    return Bytes(Array(bytes.prefix(count)))
  }

  /// Returns the remaining bytes.
  mutating func rest() -> Bytes {
    defer { bytes = [] }
    return Bytes(Array(bytes))
  }

  mutating func text() -> String { String(decoding: chunk(), as: UTF8.self) }

  mutating func choice<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int(byte()) % choices.count]
  }
}
