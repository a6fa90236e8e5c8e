public import BluetoothCodec

/// A frame of Nothing's and CMF's headphones.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | marker | 55 |
/// | 1 | 1 | control | bit 0x20 announces a checksum, bit 0x40 an operation; 0x60 from the phone |
/// | 2 | 1 | device | 1 from the phone; 0 to 0F |
/// | 3 | 2 | command | LE; bit 15: a request (``NothingCommand``) |
/// | 5 | 1 | length n | bytes of the payload |
/// | 6 | 1 | zero | 00 |
/// | 7 | 1 | operation | an answer repeats that of its request, but for those of Ear (1) |
/// | 8 | n | payload | the command's own |
/// | 8 + n | 2 | checksum | CRC-16/MODBUS, LE; see ``Checksum`` |
///
/// The phone's frames end with the checksum of all before it; headphones leave it out though they
/// announce it, or count the payload alone. Proven by the published tests of other projects, and by
/// recordings of batteries.
///
/// ```swift
/// // 55 60 01 07 C0 00 00 01 AC DF: the batteries?
/// NothingFrame(NothingCommand.readBattery, operation: 1).encoded()
/// ```
public struct NothingFrame: SerialFrame {
  /// The coverage of the checksum: it is missing, covers all bytes before it, or the payload alone.
  public enum Checksum: Hashable, Sendable { case none, whole, payload }

  /// The first byte of every frame.
  public static let marker: UInt8 = 0x55
  /// The control byte of the phone's frames, which announces a checksum.
  public static let control: UInt8 = 0x60
  /// The bit of the control byte that announces a checksum.
  static let checksumBit: UInt8 = 0x20
  private static let operationBit: UInt8 = 0x40

  /// The framing of the phone's stream: all of its frames have a checksum, which is checked apart.
  package static let phoneFormat = FrameFormat(
    marker: [marker], length: .init(at: 4, adding: 10), longest: 265)

  /// With room for a checksum, and without.
  public static var formats: [FrameFormat] {
    [
      phoneFormat,
      FrameFormat(marker: [marker], length: .init(at: 4, adding: 8), longest: 263),
    ]
  }

  /// The control byte; the meaning of its bits is not known, but for 0x20 and 0x40.
  public var control: UInt8
  /// The kind of the sender, which headphones write differently when they are not asked.
  private let device: UInt8
  /// The subject of the frame; bit 15 marks a request, and ``NothingCommand/response(to:)`` clears
  /// it.
  public var command: UInt16
  /// The number of a request, which its answer repeats.
  public var operation: UInt8
  /// The command's own bytes, at most 255.
  public private(set) var payload: Bytes
  /// The coverage that was found, or is to be written.
  public var checksum: Checksum

  /// Creates a frame of the phone's, unless said otherwise.
  ///
  /// - Parameters:
  ///   - command: one of ``NothingCommand``.
  ///   - operation: by which the answer is recognised.
  ///   - payload: at most 255 bytes; the rest is cut off.
  ///   - control: the phone's, which announces a checksum.
  ///   - checksum: what it is to cover.
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

  /// Decodes one whole frame, with a checksum or without it.
  ///
  /// - Throws: `MalformedBytes` for a wrong marker, device, length or checksum. A checksum that is
  ///   announced and missing is none.
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

  /// Whether the operation counts: an answer that has none answers any request of its command.
  var hasOperation: Bool { control & Self.operationBit != 0 }

  /// The whole frame, with the checksum that ``checksum`` names.
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

  /// Returns the frame with a checksum of the same coverage, which no ``FrameFormat`` has.
  public static func frame(_ bytes: Bytes, changing change: (Bytes) -> [UInt8]) -> [UInt8]? {
    guard var frame = try? Self(decoding: bytes) else { return nil }
    frame.payload = change(frame.payload)[...]
    return frame.encoded()
  }
}

/// CRC-16/MODBUS: the reflected polynomial A001, from FFFF.
func crc16(_ bytes: Bytes) -> UInt16 {
  bytes.reduce(0xFFFF) { sum, byte in
    (0..<8).reduce(sum ^ UInt16(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
  }
}
