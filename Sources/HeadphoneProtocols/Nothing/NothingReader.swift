internal import BluetoothCodec

/// A reader of Nothing's frames from a byte stream, whose pieces begin and end anywhere.
///
/// ``FrameReader`` is not suitable, because a bit of the frame tells whether a checksum follows,
/// and headphones that set the bit may omit the checksum. A frame at the end of a piece is returned
/// without its checksum, which may begin the next piece. Bytes that follow a frame within a piece
/// must be its checksum or another frame.
struct NothingReader: Hashable, Sendable {
  private static let headLength = 8
  private static let checkLength = 2
  /// The maximum number of bytes outside of frames that are passed on for the log.
  private static let keptGarbage = 32

  private var begun: [UInt8] = []
  /// The last frame, as long as its checksum may begin the next piece.
  private var unchecked: Bytes?

  /// Returns the frames that `piece` completes, in order, and bytes between them as one malformed
  /// message, truncated to 32 bytes.
  mutating func messages(in piece: Bytes) -> [Bytes] {
    let pieceStart = begun.count
    begun += piece
    if let frame = unchecked.take(), begun.count >= Self.checkLength,
      (try? NothingFrame(decoding: frame + begun.prefix(Self.checkLength))) != nil
    {
      begun.removeFirst(Self.checkLength)
    }
    var messages: [Bytes] = []
    var garbage: [UInt8] = []
    func endGarbage() {
      if !garbage.isEmpty { messages.append(garbage.prefix(Self.keptGarbage)) }
      garbage = []
    }
    var at = 0
    reading: while at < begun.count {
      switch Self.beginning(of: begun[at...]) {
      case .frame(let count):
        endGarbage()
        messages.append(begun[at..<at + count])
        at += count
        if at == begun.count { unchecked = messages.last }
      case .nothing:
        garbage.append(begun[at])
        at += 1
      case .incomplete:
        // If the rest of this piece consists of whole frames, it is no part of an earlier frame.
        guard pieceStart > at, isWhole(from: pieceStart) else { break reading }
        garbage.append(begun[at])
        at += 1
      }
    }
    endGarbage()
    begun.removeFirst(at)
    return messages
  }

  private func isWhole(from offset: Int) -> Bool {
    var rest = begun[offset...]
    while case .frame(let count) = Self.beginning(of: rest) { rest = rest.dropFirst(count) }
    return offset < begun.count && rest.isEmpty
  }

  /// Looks for a frame at the first byte of `bytes`, examining at most 265 bytes.
  private static func beginning(of bytes: Bytes) -> FrameFormat.Beginning {
    guard bytes.first == NothingFrame.marker else { return .nothing }
    guard bytes.count >= headLength else { return .incomplete }
    let plain = headLength + Int(bytes[bytes.startIndex + 5])
    guard bytes.count >= plain else { return .incomplete }
    let isChecked = bytes[bytes.startIndex + 1] & NothingFrame.checksumBit != 0
    let rest = bytes.dropFirst(plain)
    if isChecked, !rest.isEmpty, rest.first != NothingFrame.marker, rest.count < checkLength {
      return .incomplete
    }
    for count in [plain + checkLength, plain] where count <= bytes.count {
      guard let frame = try? NothingFrame(decoding: bytes.prefix(count)) else { continue }
      switch frame.checksum {
      // Only another frame may follow a frame without a checksum.
      case .none where isChecked && !rest.isEmpty && rest.first != NothingFrame.marker: continue
      case .whole where !isChecked, .payload where !isChecked: continue
      case .none, .whole, .payload: return .frame(count)
      }
    }
    return .nothing
  }
}
