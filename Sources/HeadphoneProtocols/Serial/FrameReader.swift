package import BluetoothCodec

/// A reader of whole frames from a byte stream, whose pieces begin and end anywhere.
///
/// It buffers one incomplete frame of at most ``FrameFormat/longest`` bytes. Where no frame begins,
/// it continues at the next byte. A wrong length field does not swallow the frames that follow: a
/// piece that consists of whole frames is not the rest of an incomplete frame.
package struct FrameReader: Hashable, Sendable {
  /// The maximum number of bytes outside of frames that are passed on for the log.
  private static let keptGarbage = 32

  let formats: [FrameFormat]
  private var begun: [UInt8] = []

  package init(_ formats: FrameFormat...) { self.init(formats) }

  init(_ formats: [FrameFormat]) { self.formats = formats }

  /// Returns the frames that `piece` completes, in order, and bytes between them as one message
  /// that no protocol can decode, truncated to 32 bytes.
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

  private func beginning(of bytes: Bytes) -> FrameFormat.Beginning {
    let all = formats.map { $0.beginning(of: bytes) }
    let whole = all.first { if case .frame = $0 { true } else { false } }
    return whole ?? (all.contains(.incomplete) ? .incomplete : .nothing)
  }

  /// Returns whether no frame begins at `start`, because the last piece consists of whole frames.
  ///
  /// Whole frames in only a part of the piece prove nothing, as content may look like a frame by
  /// chance.
  private func isContradicted(_ start: Int, since pieceStart: Int) -> Bool {
    !formats.contains { $0.marker.isEmpty } && pieceStart > start && isWhole(from: pieceStart)
  }

  private func isWhole(from offset: Int) -> Bool {
    var rest = begun[offset...]
    while case .frame(let count) = beginning(of: rest) { rest = rest.dropFirst(count) }
    return offset < begun.count && rest.isEmpty
  }
}
