public import BluetoothCodec

/// A packet of the command channel (docs/protocol.md section 5).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | A5 |
/// | 1 | 1 | version, 1 |
/// | 2 | 1 | command |
/// | 3 | 1 | sequence, 1 to 255 |
/// | 4 | 1 | flags |
/// | 5 | 1 | length *n* |
/// | 6 | *n* | payload |
/// | 6 + *n* | 1 | checksum: the sum of all bytes before it, modulo 256 |
///
/// ```swift
/// let ping = HeadphonePacket(command: .ping, sequence: 1, payload: [0x2A])
/// // ping.encoded() == [0xA5, 0x01, 0x02, 0x01, 0x00, 0x01, 0x2A, 0xD4]
/// ```
public struct HeadphonePacket: Hashable, Sendable {
  /// The bits of the flags byte (docs/protocol.md section 5).
  public struct Flags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let response = Flags(rawValue: 1 << 0)
    /// The status of a response is not ok.
    public static let error = Flags(rawValue: 1 << 1)
    /// Further packets of the same command and sequence follow.
    public static let moreFollows = Flags(rawValue: 1 << 2)
    /// Reserved for an encrypted payload.
    public static let encrypted = Flags(rawValue: 1 << 3)
  }

  /// The first byte of every packet, and of no event.
  public static let marker: UInt8 = 0xA5
  /// The version that this code implements.
  public static let currentVersion: UInt8 = 1
  /// The number of bytes before the payload.
  public static let headerLength = 6
  /// The maximum payload in bytes.
  public static let longestPayload = 255

  /// The version; a packet with another one is not a response.
  public var version: UInt8
  public var command: CommandID
  /// The sequence, 1 to 255; the host never uses 0.
  public var sequence: UInt8
  /// The flags, including unknown bits.
  public var flags: Flags
  /// At most ``longestPayload`` bytes; see ``fragments(_:sequence:flags:payload:)`` for more.
  public var payload: Bytes

  /// Creates a packet, with a payload truncated to 255 bytes.
  public init(
    version: UInt8 = Self.currentVersion, command: CommandID, sequence: UInt8, flags: Flags = [],
    payload: Bytes = []
  ) {
    self.version = version
    self.command = command
    self.sequence = sequence
    self.flags = flags
    self.payload = payload.prefix(Self.longestPayload)
  }

  /// Splits a payload of any length; all packets except the last one have `.moreFollows`.
  public static func fragments(
    _ command: CommandID, sequence: UInt8, flags: Flags = [], payload: Bytes
  ) -> [HeadphonePacket] {
    var packets: [HeadphonePacket] = []
    var rest = payload
    repeat {
      let part = rest.prefix(longestPayload)
      rest = rest.dropFirst(longestPayload)
      packets.append(
        HeadphonePacket(
          command: command, sequence: sequence,
          flags: rest.isEmpty ? flags : flags.union(.moreFollows), payload: part))
    } while !rest.isEmpty
    return packets
  }

  /// Returns the bytes of the packet, which may need to be split to fit the MTU.
  public func encoded() -> [UInt8] {
    let body =
      [
        Self.marker, version, command.rawValue, sequence, flags.rawValue, UInt8(payload.count),
      ] + payload
    return body + [Self.checksum(of: body[...])]
  }

  static func checksum(of bytes: Bytes) -> UInt8 { bytes.reduce(0, &+) }
}
