internal import BluetoothCodec

/// A splitter of a byte stream, which buffers one incomplete message of up to ``longest`` bytes.
struct FastPairJoiner: Hashable, Sendable {
  /// The maximum length of a message in bytes; the longest known one has about 24.
  static let longest = 512

  private var begun: [UInt8] = []
  /// The number of remaining bytes of a message that is too long.
  private var left = 0

  /// Returns the messages that a piece completes; of one that is too long, the malformed header.
  mutating func join(_ piece: Bytes) -> [Bytes] {
    var whole: [Bytes] = []
    var rest = piece
    while !rest.isEmpty {
      if left > 0 {
        let skipped = min(left, rest.count)
        left -= skipped
        rest = rest.dropFirst(skipped)
        continue
      }
      let wanted = length - begun.count
      begun += rest.prefix(wanted)
      rest = rest.dropFirst(wanted)
      let isTooLong = begun.count == FastPairMessage.headLength && length > Self.longest
      guard isTooLong || begun.count == length else { continue }
      left = length - begun.count
      whole.append(begun[...])
      begun = []
    }
    return whole
  }

  /// The length of the incomplete message, or of a header while the header is incomplete.
  private var length: Int {
    guard begun.count >= FastPairMessage.headLength else { return FastPairMessage.headLength }
    return FastPairMessage.headLength + (Int(begun[2]) << 8 | Int(begun[3]))
  }
}
