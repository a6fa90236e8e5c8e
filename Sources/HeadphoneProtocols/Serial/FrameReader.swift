package import BluetoothCodec

/// A reader of whole frames from a byte stream, whose pieces begin and end anywhere.
///
/// It keeps one frame that has begun, of ``FrameFormat/longest`` bytes at most. Where no frame
/// begins it looks on at the next byte, so that a wrong length does not swallow the frames behind
/// it.
///
/// ```swift
/// var reader = FrameReader(HuaweiFrame.format)
/// reader.messages(in: [0x5A, 0x00, 0x03])  // []: it has begun
/// reader.messages(in: [0x00, 0x01, 0x06, 0x3E, 0xBD])  // one frame
/// ```
package struct FrameReader: Hashable, Sendable {
  /// Bytes of what is no frame that are passed on, to be logged.
  private static let keptGarbage = 32

  private let format: FrameFormat
  /// The beginning of a frame that has not ended.
  private var begun: [UInt8] = []

  package init(_ format: FrameFormat) { self.format = format }

  /// The frames that a piece completes, in order.
  ///
  /// What stands between frames is one message, too, cut to 32 bytes: no protocol can decode it, so
  /// that it is reported as malformed.
  package mutating func messages(in piece: Bytes) -> [Bytes] {
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
