internal import BluetoothCodec

/// Takes messages out of a stream, whose pieces begin and end anywhere.
///
/// It keeps one message that has begun, of ``longest`` bytes at most.
struct FastPairJoiner: Hashable, Sendable {
  /// Bytes of a message that is kept; the longest that is known has two dozen.
  static let longest = 512

  private var begun: [UInt8] = []
  /// Bytes that still belong to a message that is too long.
  private var left = 0

  /// The messages that this piece ends; of one that is too long its head, which is none.
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

  /// Of the message that has begun, as far as that is known.
  private var length: Int {
    guard begun.count >= FastPairMessage.headLength else { return FastPairMessage.headLength }
    return FastPairMessage.headLength + (Int(begun[2]) << 8 | Int(begun[3]))
  }
}
