public import BluetoothCodec

/// A frame of Oppo's, Realme's and OnePlus's headphones.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | marker | AA |
/// | 1 | 1 or 2 | size | number of bytes that follow, 7 bits a byte, lowest bits first |
/// | 2 | 2 | flags | LE; mostly 0; kept but not interpreted |
/// | 4 | 2 | command | LE; bit 15: a response |
/// | 6 | 1 | sequence | a response repeats that of its request |
/// | 7 | 2 | length | LE; bytes of the payload; kept but not interpreted |
/// | 9 | n | payload | a response's first byte is 0 for success |
///
/// The offsets apply to a size of one byte. There is no checksum. The size determines the end of a
/// frame, because OnePlus Buds Pro send wrong lengths: one byte too few in their first response,
/// three too many in an event. Recorded with Enco Air3 Pro, Enco Buds3 Pro (sizes of two bytes),
/// OnePlus Buds Pro and Realme Buds Air 7.
///
/// ```swift
/// OppoFrame(0x0103, sequence: 1).encoded()  // AA 07 00 00 03 01 01 00 00 requests the product
/// ```
public struct OppoFrame: UniformFrame {
  package static let format = FrameFormat(
    marker: [0xAA], length: .init(at: 0, isVariable: true, adding: 2), longest: 1024)
  static let responseBit: UInt16 = 0x8000
  private static let mostPayload = 1014

  private let flags: UInt16
  /// The number of the request, response or event; bit 15 marks a response.
  public var command: UInt16
  /// The sequence number of a request, which its response repeats.
  public var sequence: UInt8
  private let length: UInt16
  /// The payload, at most 1014 bytes.
  public private(set) var payload: Bytes

  /// Creates a frame, truncating the payload to 1014 bytes.
  public init(_ command: UInt16, sequence: UInt8, payload: Bytes = []) {
    flags = 0
    self.command = command
    self.sequence = sequence
    self.payload = payload.prefix(Self.mostPayload)
    length = UInt16(self.payload.count)
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Oppo frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    while try reader.uint8() & 0x80 != 0 {}
    flags = try reader.uint16()
    command = try reader.uint16()
    sequence = try reader.uint8()
    length = try reader.uint16()
    payload = reader.rest()
  }

  public func encoded() -> [UInt8] {
    var content: [UInt8] = [0]
    content.append(littleEndian: flags)
    content.append(littleEndian: command)
    content.append(sequence)
    content.append(littleEndian: length)
    return Self.format.frame(around: content + payload)
  }
}
