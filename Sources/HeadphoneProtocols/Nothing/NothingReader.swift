internal import BluetoothCodec

/// A reader of Nothing's frames from a byte stream, whose pieces begin and end anywhere.
///
/// ``FrameReader`` does not fit: whether a checksum follows is a bit of the frame, and headphones
/// that set it may leave the checksum out. A frame at the end of a piece is taken without one,
/// which may begin the next piece; where other bytes follow, they have to be the checksum or
/// another frame.
struct NothingReader: Hashable, Sendable {
  /// Bytes before the payload.
  private static let headLength = 8
  private static let checkLength = 2
  /// Bytes of what is no frame that are passed on, to be logged.
  private static let keptGarbage = 32

  /// The beginning of a frame that has not ended.
  private var begun: [UInt8] = []
  /// The last frame, while its checksum may be in the next piece.
  private var unchecked: Bytes?

  /// The frames that a piece completes, in order.
  ///
  /// What stands between frames is one message, too, cut to 32 bytes, which is malformed.
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
        // A piece of whole frames alone is not the content of one that began before it.
        guard pieceStart > at, isWhole(from: pieceStart) else { break reading }
        garbage.append(begun[at])
        at += 1
      }
    }
    endGarbage()
    begun.removeFirst(at)
    return messages
  }

  /// Whether the bytes from an offset on are whole frames, up to the last byte.
  private func isWhole(from offset: Int) -> Bool {
    var rest = begun[offset...]
    while case .frame(let count) = Self.beginning(of: rest) { rest = rest.dropFirst(count) }
    return offset < begun.count && rest.isEmpty
  }

  /// What begins at the first byte; at most 265 bytes are looked at.
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
      // Bytes behind a frame without a checksum belong to another frame.
      case .none where isChecked && !rest.isEmpty && rest.first != NothingFrame.marker: continue
      case .whole where !isChecked, .payload where !isChecked: continue
      case .none, .whole, .payload: return .frame(count)
      }
    }
    return .nothing
  }
}
