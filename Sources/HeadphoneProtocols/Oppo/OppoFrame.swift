public import BluetoothCodec

/// A frame of Oppo's, Realme's and OnePlus's headphones.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | marker | AA |
/// | 1 | 1 | size | bytes behind it: 7 and the payload's |
/// | 2 | 2 | flags | LE; mostly 0; kept, not read |
/// | 4 | 2 | command | LE; bit 15: an answer |
/// | 6 | 1 | sequence | an answer repeats that of its question |
/// | 7 | 2 | length n | LE; bytes of the payload |
/// | 9 | n | payload | an answer's first byte is 0 for success |
///
/// There is no checksum: the two lengths must agree. Proven by recordings of Enco Air3 Pro and
/// Realme Buds Air 7.
///
/// ```swift
/// OppoFrame(0x0103, sequence: 1).encoded()  // AA 07 00 00 03 01 01 00 00: which product?
/// ```
public struct OppoFrame: UniformFrame {
  package static let format = FrameFormat(
    marker: [0xAA], length: .init(at: 0, adding: 2), longest: 257)
  /// The bit of the command that marks an answer.
  static let responseBit: UInt16 = 0x8000
  private static let mostPayload = 248

  /// Not read, and written as it was read.
  private let flags: UInt16
  /// The subject of the frame; an answer has bit 15 set.
  public var command: UInt16
  /// The number of a question; its answer repeats it.
  public var sequence: UInt8
  /// The command's own bytes, at most 248.
  public private(set) var payload: Bytes

  /// Creates a frame of either side; a payload beyond 248 bytes is cut off.
  public init(_ command: UInt16, sequence: UInt8, payload: Bytes = []) {
    flags = 0
    self.command = command
    self.sequence = sequence
    self.payload = payload.prefix(Self.mostPayload)
  }

  /// Decodes one whole frame.
  ///
  /// - Throws: `MalformedBytes` for a wrong marker, and for lengths that contradict each other.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Oppo frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    _ = try reader.uint8()
    flags = try reader.uint16()
    command = try reader.uint16()
    sequence = try reader.uint8()
    payload = try reader.read(Int(try reader.uint16()))
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
