package import BluetoothCodec

/// A reader of whole frames from a byte stream, whose pieces begin and end anywhere.
///
/// It keeps one frame that has begun, of ``FrameFormat/longest`` bytes at most. Where no frame
/// begins it looks on at the next byte. Nor does a wrong length swallow the frames behind it: where
/// a piece is whole frames alone, a frame that began before it is none.
///
/// ```swift
/// var reader = FrameReader(HuaweiFrame.format)
/// reader.messages(in: [0x5A, 0x00, 0x03])  // []: it has begun
/// reader.messages(in: [0x00, 0x01, 0x06, 0x3E, 0xBD])  // one frame
/// ```
package struct FrameReader: Hashable, Sendable {
  /// Bytes of what is no frame that are passed on, to be logged.
  private static let keptGarbage = 32

  /// The framings of the stream, of which each frame has one.
  let formats: [FrameFormat]
  /// The beginning of a frame that has not ended.
  private var begun: [UInt8] = []

  package init(_ formats: FrameFormat...) { self.init(formats) }

  init(_ formats: [FrameFormat]) { self.formats = formats }

  /// The frames that a piece completes, in order.
  ///
  /// What stands between frames is one message, too, cut to 32 bytes: no protocol can decode it, so
  /// that it is reported as malformed.
  package mutating func messages(in piece: Bytes) -> [Bytes] {
    let pieceStart = begun.count
    begun += piece
    var messages: [Bytes] = []
    var garbage = begun[0..<0]
    var at = 0
    reading: while at < begun.count {
      switch beginning(of: begun[at...]) {
      case .frame(let count):
        if !garbage.isEmpty { messages.append(garbage.prefix(Self.keptGarbage)) }
        messages.append(begun[at..<at + count])
        at += count
        garbage = begun[at..<at]
      case .nothing:
        at += 1
        garbage = begun[garbage.startIndex..<at]
      case .incomplete:
        guard isContradicted(at, since: pieceStart) else { break reading }
        at += 1
        garbage = begun[garbage.startIndex..<at]
      }
    }
    if !garbage.isEmpty { messages.append(garbage.prefix(Self.keptGarbage)) }
    begun.removeFirst(at)
    return messages
  }

  /// Looks for a frame at the first byte: a whole one of any framing, else the beginning of one.
  private func beginning(of bytes: Bytes) -> FrameFormat.Beginning {
    let all = formats.map { $0.beginning(of: bytes) }
    let whole = all.first { if case .frame = $0 { true } else { false } }
    return whole ?? (all.contains(.incomplete) ? .incomplete : .nothing)
  }

  /// Whether the last piece is whole frames alone, and so not the content of one that began at
  /// `start`, before it.
  ///
  /// Elsewhere in a piece, content may look like a frame by chance.
  private func isContradicted(_ start: Int, since pieceStart: Int) -> Bool {
    !formats.contains { $0.marker.isEmpty } && pieceStart > start && isWhole(from: pieceStart)
  }

  /// Whether the bytes from an offset on are whole frames, up to the last byte.
  private func isWhole(from offset: Int) -> Bool {
    var rest = begun[offset...]
    while case .frame(let count) = beginning(of: rest) { rest = rest.dropFirst(count) }
    return offset < begun.count && rest.isEmpty
  }
}
