public import BluetoothCodec

/// A frame of Google's Pixel Buds Pro: HDLC's `7E address 03 data CRC-32 7E`, with escapes.
public struct PixelBudsFrame: UniformFrame {
  package static let format = FrameFormat(
    marker: [0x7E], length: nil, check: .crc32, end: [0x7E],
    escape: .init(byte: 0x7D, values: [0x7D, 0x7E], bits: 0x20), longest: 2048)
  /// The control field of HDLC's unnumbered information frame.
  private static let control: UInt8 = 0x03

  /// The address, with the sender at bit 6 and the receiver at bit 10.
  public var address: UInt32
  /// The data: a packet of a remote procedure call.
  public var data: Bytes

  public init(address: UInt32, data: [UInt8]) {
    self.address = address
    self.data = data[...]
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "Pixel Buds frame"
    var reader = ByteReader(try Self.format.content(of: bytes, what), of: what)
    address = 0
    // Seven bits a byte, lowest first; a set bit 0 marks the last byte of the address.
    for shift: UInt32 in stride(from: 0, through: 21, by: 7) {
      let byte = try reader.uint8()
      address |= UInt32(byte >> 1) << shift
      if byte & 1 == 1 { break }
      if shift == 21 { throw reader.impossible(byte) }
    }
    _ = try reader.uint8(in: Self.control...Self.control)
    data = reader.rest()
  }

  public func encoded() -> [UInt8] {
    var groups: [UInt8] = []
    var rest = address
    repeat {
      groups.append(UInt8(rest & 0x7F) << 1)
      rest >>= 7
    } while rest > 0
    groups[groups.count - 1] |= 1
    return Self.format.frame(around: groups + [Self.control] + data)
  }
}
