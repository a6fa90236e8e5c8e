public import BluetoothCodec

/// A frame of Nothing's and CMF's headphones.
///
/// `55, control, 01, command LE16, length n, 00, operation, n bytes of payload, CRC-16 LE`. The
/// phone's frames end with the CRC of all before it; headphones leave it out, or count the payload
/// alone.
public struct NothingFrame: Hashable, Sendable {
  /// What the CRC at the end covers.
  public enum Checksum: Hashable, Sendable { case none, whole, payload }

  /// The first byte of every frame.
  public static let marker: UInt8 = 0x55
  /// With the bit that announces a checksum.
  public static let control: UInt8 = 0x60
  /// The bit of the control byte that announces a checksum.
  static let checksumBit: UInt8 = 0x20

  /// Bits whose meaning is not known but for 0x20, which announces a checksum.
  public var control: UInt8
  /// 1, or 0 in some frames over RFCOMM that have no checksum.
  private let version: UInt8
  /// Bit 15 is a request's; ``NothingCommand/answer(to:)`` clears it.
  public var command: UInt16
  /// An answer repeats that of its request.
  public var operation: UInt8
  /// At most 255 bytes.
  public private(set) var payload: Bytes
  /// What the CRC at the end turned out to cover, or is to cover.
  public var checksum: Checksum

  /// A frame of the phone's unless said otherwise; what is longer than 255 bytes is cut off.
  public init(
    _ command: UInt16, operation: UInt8, payload: Bytes = [], control: UInt8 = Self.control,
    checksum: Checksum = .whole
  ) {
    self.control = control
    version = 1
    self.command = command
    self.operation = operation
    self.payload = payload.prefix(Int(UInt8.max))
    self.checksum = checksum
  }

  /// - Throws: for a wrong checksum, too; what bit 0x20 of the control announces is often not
  ///   there.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Nothing frame")
    _ = try reader.uint8(in: Self.marker...Self.marker)
    control = try reader.uint8()
    version = try reader.uint8(in: 0...1)
    command = try reader.uint16()
    let length = Int(try reader.uint8())
    _ = try reader.uint8(in: 0...0)
    operation = try reader.uint8()
    payload = try reader.take(length)
    guard !reader.isAtEnd else {
      checksum = .none
      return
    }
    let place = reader.offset
    let sum = try reader.uint16()
    if sum == crc16(bytes.prefix(place)) {
      checksum = .whole
    } else if sum == crc16(payload) {
      checksum = .payload
    } else {
      throw reader.malformed(.badValue(UInt64(sum)), at: place)
    }
    try reader.finish()
  }

  /// The whole frame, with the checksum that ``checksum`` names.
  public func encoded() -> [UInt8] {
    var bytes = [Self.marker, control, version]
    bytes.append(littleEndian: command)
    bytes += [UInt8(payload.count), 0, operation] + payload
    switch checksum {
    case .none: break
    case .whole: bytes.append(littleEndian: crc16(bytes[...]))
    case .payload: bytes.append(littleEndian: crc16(payload))
    }
    return bytes
  }
}

/// CRC-16/MODBUS: reflected polynomial A001, from FFFF.
func crc16(_ bytes: Bytes) -> UInt16 {
  bytes.reduce(0xFFFF) { sum, byte in
    (0..<8).reduce(sum ^ UInt16(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
  }
}
