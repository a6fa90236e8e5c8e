public import BluetoothCodec

/// A frame of Nothing's and CMF's headphones.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | marker | 55 |
/// | 1 | 1 | control | bit 0x20: checksum present; bit 0x40: operation valid; phone: 0x60 |
/// | 2 | 1 | device | 1 from the phone; 0 to 0F |
/// | 3 | 2 | command | LE; bit 15 marks a request (``NothingCommand``) |
/// | 5 | 1 | length n | bytes of the payload |
/// | 6 | 1 | zero | 00 |
/// | 7 | 1 | operation | an answer repeats that of its request, except on Ear (1) |
/// | 8 | n | payload | depends on the command |
/// | 8 + n | 2 | checksum | CRC-16/MODBUS, LE; see ``Checksum`` |
///
/// The phone's frames end with a checksum of all bytes before it. Headphones omit the checksum
/// although the control byte announces it, or compute it over the payload alone. Other projects'
/// published tests and recordings of battery levels confirm the layout.
///
/// ```swift
/// // 55 60 01 07 C0 00 00 01 AC DF requests the battery levels.
/// NothingFrame(NothingCommand.readBattery, operation: 1).encoded()
/// ```
public struct NothingFrame: SerialFrame {
  /// The bytes that the checksum covers: none if there is none, all bytes before it, or the
  /// payload.
  public enum Checksum: Hashable, Sendable { case none, whole, payload }

  public static let marker: UInt8 = 0x55
  /// The control byte of the phone's frames, which announces a checksum and a valid operation.
  public static let control: UInt8 = 0x60
  static let checksumBit: UInt8 = 0x20
  private static let operationBit: UInt8 = 0x40

  /// The framing of the phone's stream; the checksum of each frame is verified separately.
  package static let phoneFormat = FrameFormat(
    marker: [marker], length: .init(at: 4, adding: 10), longest: 265)

  /// The framings, first with room for a checksum, then without.
  public static var formats: [FrameFormat] {
    [
      phoneFormat,
      FrameFormat(marker: [marker], length: .init(at: 4, adding: 8), longest: 263),
    ]
  }

  /// The control byte, of which only bits 0x20 and 0x40 are understood.
  public var control: UInt8
  /// The kind of sender, which headphones do not set consistently in unprompted frames.
  private let device: UInt8
  /// The number of the request, answer or report; see ``NothingCommand/response(to:)``.
  public var command: UInt16
  /// The number of a request, which its answer repeats.
  public var operation: UInt8
  /// The payload, at most 255 bytes.
  public private(set) var payload: Bytes
  public var checksum: Checksum

  /// Creates a frame, by default one from the phone, truncating the payload to 255 bytes.
  public init(
    _ command: UInt16, operation: UInt8, payload: Bytes = [], control: UInt8 = Self.control,
    checksum: Checksum = .whole
  ) {
    self.control = control
    device = 1
    self.command = command
    self.operation = operation
    self.payload = payload.prefix(Int(UInt8.max))
    self.checksum = checksum
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Nothing frame")
    _ = try reader.uint8(in: Self.marker...Self.marker)
    control = try reader.uint8()
    device = try reader.uint8(in: 0...0x0F)
    command = try reader.uint16()
    let length = Int(try reader.uint8())
    _ = try reader.uint8(in: 0...0)
    operation = try reader.uint8()
    payload = try reader.read(length)
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

  /// Whether ``operation`` is valid; otherwise an answer matches any request of its command.
  var hasOperation: Bool { control & Self.operationBit != 0 }

  public func encoded() -> [UInt8] {
    var bytes = [Self.marker, control, device]
    bytes.append(littleEndian: command)
    bytes += [UInt8(payload.count), 0, operation] + payload
    switch checksum {
    case .none: break
    case .whole: bytes.append(littleEndian: crc16(bytes[...]))
    case .payload: bytes.append(littleEndian: crc16(payload))
    }
    return bytes
  }

  /// Returns the frame with another payload and a checksum of the same coverage, which a
  /// ``FrameFormat`` cannot describe.
  public static func frame(_ bytes: Bytes, changing change: (Bytes) -> [UInt8]) -> [UInt8]? {
    guard var frame = try? Self(decoding: bytes) else { return nil }
    frame.payload = change(frame.payload)[...]
    return frame.encoded()
  }
}

/// Returns the CRC-16/MODBUS: reflected polynomial A001, initial value FFFF.
func crc16(_ bytes: Bytes) -> UInt16 {
  bytes.reduce(0xFFFF) { sum, byte in
    (0..<8).reduce(sum ^ UInt16(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
  }
}
