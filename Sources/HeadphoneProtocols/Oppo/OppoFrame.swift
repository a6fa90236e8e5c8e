public import BluetoothCodec

/// A frame of Oppo's, Realme's and OnePlus's headphones.
///
/// `AA n flags(LE16) command(LE16) sequence length(LE16) payload`, of which n is the length and 7. It
/// has no checksum.
public struct OppoFrame: Hashable, Sendable {
  static let format = FrameFormat(marker: [0xAA], length: .init(at: 0, adding: 2), longest: 257)
  /// Of a command: this frame is its answer.
  static let answerBit: UInt16 = 0x8000
  private static let mostPayload = 248

  private let flags: UInt16
  /// An answer has bit 15.
  public var command: UInt16
  /// An answer repeats that of its question.
  public var sequence: UInt8
  /// At most 248 bytes.
  public private(set) var payload: Bytes

  /// A frame of either side; what is longer than 248 bytes is cut off.
  public init(_ command: UInt16, sequence: UInt8, payload: Bytes = []) {
    flags = 0
    self.command = command
    self.sequence = sequence
    self.payload = payload.prefix(Self.mostPayload)
  }

  /// - Throws: for lengths that contradict each other.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Oppo frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    _ = try reader.uint8()
    flags = try reader.uint16()
    command = try reader.uint16()
    sequence = try reader.uint8()
    payload = try reader.take(Int(try reader.uint16()))
    try reader.finish()
  }

  /// The whole frame.
  public func encoded() -> [UInt8] {
    var content: [UInt8] = [0]
    content.append(littleEndian: flags)
    content.append(littleEndian: command)
    content.append(sequence)
    content.append(littleEndian: UInt16(payload.count))
    return Self.format.frame(around: content + payload)
  }
}
