internal import BluetoothCodec

/// A reader that takes whole frames out of a byte stream, whose pieces begin and end anywhere.
///
/// It keeps one frame that has begun, of ``FrameFormat/longest`` bytes at most. Where no frame
/// begins it looks on at the next byte, so that a wrong length does not swallow the frames behind
/// it.
struct FrameReader: Hashable, Sendable {
  /// Bytes of garbage that are kept to be logged.
  private static let keptGarbage = 32

  private let format: FrameFormat
  private var begun: [UInt8] = []

  init(_ format: FrameFormat) { self.format = format }

  /// The frames that a piece ends, in order; what is between frames is one message, cut to 32
  /// bytes, which no protocol can decode.
  mutating func messages(in piece: Bytes) -> [Bytes] {
    begun += piece
    var messages: [Bytes] = []
    var garbage = begun[0..<0]
    var at = 0
    reading: while at < begun.count {
      switch format.beginning(of: begun[at...]) {
      case .frame(let count):
        if !garbage.isEmpty { messages.append(garbage.prefix(Self.keptGarbage)) }
        messages.append(begun[at..<at + count])
        at += count
        garbage = begun[at..<at]
      case .nothing:
        at += 1
        garbage = begun[garbage.startIndex..<at]
      case .incomplete: break reading
      }
    }
    if !garbage.isEmpty { messages.append(garbage.prefix(Self.keptGarbage)) }
    begun.removeFirst(at)
    return messages
  }
}
