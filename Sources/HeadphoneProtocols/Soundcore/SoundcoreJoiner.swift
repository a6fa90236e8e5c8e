internal import BluetoothCodec

/// Puts frames together that came in several values: a state is longer than the smallest MTU.
struct SoundcoreJoiner: Hashable, Sendable {
  /// What a value brought.
  struct Joined: Hashable, Sendable {
    /// A frame that was begun and never ended.
    var lost: Bytes?
    /// A whole frame, or what is none; nil: it goes on in the next value.
    var frame: Bytes?
  }

  /// Longer than any answer that is known; more is no frame.
  private static let longest = 1024
  private static let headLength = 9

  private var begun: [UInt8] = []

  mutating func join(_ value: Bytes) -> Joined {
    var joined = Joined()
    if value.starts(with: SoundcoreFrame.Sender.headphone.prefix) {
      if !begun.isEmpty { joined.lost = begun[...] }
      begun = Array(value)
    } else if begun.isEmpty {
      joined.frame = value
      return joined
    } else {
      begun += value
    }
    guard begun.count >= length else { return joined }
    joined.frame = begun[...]
    begun = []
    return joined
  }

  /// Of the frame that was begun.
  private var length: Int {
    guard begun.count >= Self.headLength else { return Self.headLength }
    let reported = Int(begun[7]) | Int(begun[8]) << 8
    return reported > Self.longest ? 0 : reported
  }
}
