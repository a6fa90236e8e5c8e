internal import BluetoothCodec

/// A joiner of frames that arrive in several GATT values: a state is longer than the smallest MTU.
///
/// A value that begins with the headphone's prefix begins a frame; what follows belongs to it until
/// its length is reached. A value that begins no frame while none has begun is passed on as it is.
struct SoundcoreJoiner: Hashable, Sendable {
  /// The outcome of one value.
  struct Joined: Hashable, Sendable {
    /// A frame that was begun and never ended, because another one began.
    var lost: Bytes?
    /// A whole frame, or a value that belongs to none; nil: the frame goes on in the next value.
    var frame: Bytes?
  }

  /// Bytes of the longest frame; a length beyond is taken for garbage and ends at once.
  private static let longest = 1024
  /// Bytes up to the length field's end.
  private static let headLength = 9

  private var begun: [UInt8] = []

  /// Takes one value.
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

  /// Bytes of the frame that was begun; the header's while its length has not arrived.
  private var length: Int {
    guard begun.count >= Self.headLength else { return Self.headLength }
    let reported = Int(begun[7]) | Int(begun[8]) << 8
    return reported > Self.longest ? 0 : reported
  }
}
