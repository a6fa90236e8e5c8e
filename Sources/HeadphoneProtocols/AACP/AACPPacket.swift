public import BluetoothCodec

/// A packet of Apple's accessory protocol, as AirPods and Beats speak it over BR/EDR.
///
/// Published layout: a kind and the number 4, 16 bits each; a message has an opcode of 16 bits
/// then.
public enum AACPPacket: Hashable, Sendable {
  /// The first packet: nothing is answered before it.
  case handshake
  /// The headphone's answer to it; what stands in it is not known.
  case handshakeAnswer(Bytes)
  /// Everything else; what follows the opcode is by ``AACPOpcode``.
  case message(opcode: UInt16, Bytes)

  /// L2CAP's number of the channel.
  public static let psm: UInt16 = 0x1001

  private enum Kind: UInt16 { case handshake = 0, answer = 1, message = 4 }

  private static let service: UInt16 = 4
  private static let greeting: [UInt8] = [1, 0, 2] + Array(repeating: 0, count: 9)

  /// Reads one packet, which fills a packet of L2CAP.
  ///
  /// - Throws: for another kind or number, and for another greeting than the one
  ///   that is known.
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
    case .answer: self = .handshakeAnswer(reader.rest())
    case .message: self = .message(opcode: try reader.uint16(), reader.rest())
    }
  }

  /// The whole packet; its integers are little-endian.
  public func encoded() -> [UInt8] {
    let (kind, content): (Kind, [UInt8]) =
      switch self {
      case .handshake: (.handshake, Self.greeting)
      case .handshakeAnswer(let rest): (.answer, Array(rest))
      case .message(let opcode, let data):
        (.message, [UInt8(truncatingIfNeeded: opcode), UInt8(opcode >> 8)] + data)
      }
    var bytes: [UInt8] = []
    bytes.append(littleEndian: kind.rawValue)
    bytes.append(littleEndian: Self.service)
    return bytes + content
  }
}

/// Opcodes of messages, by their published numbers.
public enum AACPOpcode {
  public static let battery: UInt16 = 0x04
  public static let ear: UInt16 = 0x06
  public static let control: UInt16 = 0x09
  public static let requestNotifications: UInt16 = 0x0F
  public static let metadata: UInt16 = 0x1D
  public static let featuresAnswer: UInt16 = 0x2B
  public static let setFeatures: UInt16 = 0x4D
}
