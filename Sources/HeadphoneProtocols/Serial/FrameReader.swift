package import BluetoothCodec

/// A reader of whole frames from a byte stream, whose pieces begin and end anywhere.
///
/// It buffers one incomplete frame of at most ``FrameFormat/longest`` bytes. Where no frame begins,
/// it continues at the next byte. A wrong length field does not make it lose the frames that
/// follow: if a piece consists of whole frames, it is not the rest of an incomplete frame.
///
/// ```swift
/// var reader = FrameReader(HuaweiFrame.format)
/// reader.messages(in: [0x5A, 0x00, 0x03])  // []: the frame is incomplete
/// reader.messages(in: [0x00, 0x01, 0x06, 0x3E, 0xBD])  // one frame
/// ```
package struct FrameReader: Hashable, Sendable {
  /// The most bytes outside of frames that are passed on for the log.
  private static let keptGarbage = 32

  let formats: [FrameFormat]
  /// The bytes of a frame that is not complete yet.
  private var begun: [UInt8] = []

  package init(_ formats: FrameFormat...) { self.init(formats) }

  init(_ formats: [FrameFormat]) { self.formats = formats }

  /// Returns the frames that `piece` completes, in order.
  ///
  /// Bytes between frames are returned as one message, cut to 32 bytes. No protocol can decode it,
  /// so it is reported as malformed.
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

  /// Looks at the first byte for a whole frame of any framing, or else for the beginning of one.
  private func beginning(of bytes: Bytes) -> FrameFormat.Beginning {
    let all = formats.map { $0.beginning(of: bytes) }
    let whole = all.first { if case .frame = $0 { true } else { false } }
    return whole ?? (all.contains(.incomplete) ? .incomplete : .nothing)
  }

  /// Returns whether the last piece shows that no frame begins at `start`, which is before it.
  ///
  /// It does so if it consists of whole frames. Whole frames in only a part of it prove nothing, as
  /// content may look like a frame by chance.
  private func isContradicted(_ start: Int, since pieceStart: Int) -> Bool {
    !formats.contains { $0.marker.isEmpty } && pieceStart > start && isWhole(from: pieceStart)
  }

  /// Returns whether the bytes from `offset` to the end are whole frames.
  private func isWhole(from offset: Int) -> Bool {
    var rest = begun[offset...]
    while case .frame(let count) = beginning(of: rest) { rest = rest.dropFirst(count) }
    return offset < begun.count && rest.isEmpty
  }
}
