public import BluetoothCodec

/// A packet of the command channel (docs/protocol.md section 5).
///
/// `A5, version, command, sequence, flags, length n, n bytes of payload, checksum`.
public struct HeadphonePacket: Hashable, Sendable {
  /// The bits of the flags byte (docs/protocol.md section 5).
  public struct Flags: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let response = Flags(rawValue: 1 << 0)
    /// In a response only: its status is not ok.
    public static let error = Flags(rawValue: 1 << 1)
    /// More packets of the same command and sequence follow.
    public static let moreFollows = Flags(rawValue: 1 << 2)
    /// Reserved.
    public static let encrypted = Flags(rawValue: 1 << 3)
  }

  /// The first byte of every packet; no event begins with it.
  public static let marker: UInt8 = 0xA5
  /// The version that this code speaks.
  public static let currentVersion: UInt8 = 1
  /// Bytes before the payload: marker, version, command, sequence, flags and length.
  public static let headerLength = 6
  /// Header, the longest payload and the checksum; bytes.
  public static let longest = headerLength + longestPayload + 1
  /// Bytes.
  public static let longestPayload = 255

  /// 1; a packet of another version answers nothing.
  public var version: UInt8
  public var command: CommandID
  /// 1 to 255; 0 is never used by the phone.
  public var sequence: UInt8
  /// Bits that are not known are kept.
  public var flags: Flags
  /// At most ``longestPayload`` bytes; ``fragments(_:sequence:flags:payload:)`` cuts longer ones.
  public var payload: Bytes

  /// A packet of at most 255 bytes of payload; what is longer is cut off.
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

  /// The packets that carry a payload of any length: all but the last with `.moreFollows`.
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

  /// The packet on the wire.
  public func encoded() -> [UInt8] {
    let body =
      [
        Self.marker, version, command.rawValue, sequence, flags.rawValue, UInt8(payload.count),
      ] + payload
    return body + [Self.checksum(of: body[...])]
  }

  /// The sum of all bytes, modulo 256.
  static func checksum(of bytes: Bytes) -> UInt8 { bytes.reduce(0, &+) }
}
