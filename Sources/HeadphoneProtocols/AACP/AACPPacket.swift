public import BluetoothCodec

/// A packet of Apple's accessory protocol (AACP), which AirPods and Beats use over BR/EDR.
///
/// Published layout, little-endian:
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 2 | kind: 0 handshake, 1 its answer, 4 message |
/// | 2 | 2 | 4 |
/// | 4 | 2 | opcode, of messages |
/// | 6 | | data |
///
/// ```swift
/// let battery = try AACPPacket(
///   decoding: [0x04, 0, 0x04, 0, 0x04, 0, 0x01, 0x08, 0x01, 0x5A, 0x02, 0x01])
/// // .message(opcode: AACPOpcode.battery, …): the case, 90 %, discharging
/// ```
public enum AACPPacket: SerialFrame {
  /// No framings: one packet is one L2CAP packet.
  public static let formats: [FrameFormat] = []

  /// The first packet of the host, without which the headphone does not respond.
  case handshake
  /// The headphone's response to the handshake, whose content is unknown.
  case handshakeResponse(Bytes)
  /// Any other packet: an opcode of ``AACPOpcode`` and its data.
  case message(opcode: UInt16, Bytes)

  public static let psm: UInt16 = 0x1001

  private enum Kind: UInt16 { case handshake = 0, response = 1, message = 4 }

  private static let service: UInt16 = 4
  private static let greeting: [UInt8] = [1, 0, 2] + Array(repeating: 0, count: 9)

  /// Decodes one L2CAP packet, and rejects an unknown kind, service or handshake.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP packet")
    let number = try reader.uint16()
    guard let kind = Kind(rawValue: number) else {
      throw reader.malformed(.unknownType(UInt64(number)), at: 0)
    }
    let service = try reader.uint16()
    guard service == Self.service else {
      throw reader.malformed(.badValue(UInt64(service)), at: 2)
    }
    switch kind {
    case .handshake:
      let rest = reader.rest()
      guard rest == Self.greeting[...] else {
        throw reader.malformed(.badLength(rest.count), at: 4)
      }
      self = .handshake
    case .response: self = .handshakeResponse(reader.rest())
    case .message: self = .message(opcode: try reader.uint16(), reader.rest())
    }
  }

  public func encoded() -> [UInt8] {
    let (kind, content): (Kind, [UInt8]) =
      switch self {
      case .handshake: (.handshake, Self.greeting)
      case .handshakeResponse(let rest): (.response, Array(rest))
      case .message(let opcode, let data):
        (.message, [UInt8(truncatingIfNeeded: opcode), UInt8(opcode >> 8)] + data)
      }
    var bytes: [UInt8] = []
    bytes.append(littleEndian: kind.rawValue)
    bytes.append(littleEndian: Self.service)
    return bytes + content
  }
}

/// The published opcodes of messages.
public enum AACPOpcode {
  public static let battery: UInt16 = 0x04
  public static let ear: UInt16 = 0x06
  /// The primary bud: 1 left, 2 right.
  public static let primary: UInt16 = 0x08
  public static let control: UInt16 = 0x09
  /// 01, the length of the name, 00, and the name.
  public static let rename: UInt16 = 0x1A
  public static let press: UInt16 = 0x19
  public static let speech: UInt16 = 0x4B
  public static let requestNotifications: UInt16 = 0x0F
  public static let metadata: UInt16 = 0x1D
  public static let featuresResponse: UInt16 = 0x2B
  public static let setFeatures: UInt16 = 0x4D
}
