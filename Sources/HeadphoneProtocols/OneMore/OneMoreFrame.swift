public import BluetoothCodec

/// A frame of 1MORE's headphones.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 2 | sender | phone: 11 01; headphone: 01 01 |
/// | 2 | 2 | command | BE |
/// | 4 | 2 | length n | BE; bytes of the payload |
/// | 6 | 2 | sequence | BE |
/// | 8 | 1 | checksum | XOR of all bytes before it |
/// | 9 | n | payload | parameters |
///
/// Confirmed by one project's recorded commands, which fit the layout of another.
public struct OneMoreFrame: SerialFrame {
  /// The side that sent a frame.
  public enum Sender: UInt8, Hashable, Sendable, CaseIterable {
    case phone = 0x11
    case headphone = 0x01
  }

  private static let port: UInt8 = 0x01
  private static let mostPayload = 247
  /// The length of the header including its checksum, which the length field does not count.
  private static let head = 9

  package static func format(of sender: Sender) -> FrameFormat {
    FrameFormat(
      marker: [sender.rawValue, port],
      length: .init(at: 2, width: 2, isBigEndian: true, adding: head),
      longest: head + mostPayload)
  }

  public static var formats: [FrameFormat] { Sender.allCases.map(format) }

  public var sender: Sender
  /// The number of the request, which a response repeats.
  public var command: UInt16
  /// The sequence number of a request, which its response repeats.
  public var sequence: UInt16
  /// The payload, at most 247 bytes.
  public private(set) var payload: Bytes

  /// Creates a frame, truncating the payload to 247 bytes.
  public init(_ sender: Sender, _ command: UInt16, sequence: UInt16, _ payload: [UInt8] = []) {
    self.sender = sender
    self.command = command
    self.sequence = sequence
    self.payload = payload.prefix(Self.mostPayload)
  }

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    let what = "1MORE frame"
    var reader = ByteReader(bytes, of: what)
    sender = try reader.value(of: Sender.self)
    _ = try Self.format(of: sender).content(of: bytes, what)
    _ = try reader.uint8()
    command = try reader.uint16().byteSwapped
    _ = try reader.uint16()
    sequence = try reader.uint16().byteSwapped
    let check = try reader.uint8()
    guard check == Self.checksum(bytes.prefix(Self.head - 1)) else {
      throw reader.impossible(check)
    }
    payload = reader.rest()
  }

  public func encoded() -> [UInt8] {
    let numbers = [command, UInt16(payload.count), sequence].flatMap {
      [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)]
    }
    let head = [sender.rawValue, Self.port] + numbers
    return head + [Self.checksum(head[...])] + payload
  }

  private static func checksum(_ head: Bytes) -> UInt8 { head.reduce(0, ^) }
}
