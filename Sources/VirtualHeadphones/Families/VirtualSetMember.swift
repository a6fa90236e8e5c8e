internal import BluetoothAttributes
internal import BluetoothCodec
public import BluetoothRadio
public import HeadphoneProtocols

/// One of two buds with a link each (Coordinated Set Identification Service 1.0).
public struct VirtualSetMember: Hashable, Sendable {
  /// The value of the SIRK characteristic: plain, or encrypted with the link's key.
  public var key: ReceivedSetKey
  /// The plain SIRK, from which the advertised RSI is derived.
  public var plainKey: SetKey
  /// The side, reported as audio location, or only by the rank (1 left, 2 right).
  public var side: Side
  /// The random part of the RSI, 24 bits.
  public var random: UInt32
  /// Whether Sink Audio Locations (PACS 1.0) exists; otherwise, only the rank tells the side.
  public var reportsLocation = true
  public var security: SecurityLevel = .low

  /// Creates a member with a plain SIRK.
  public init(_ key: SetKey, _ side: Side, random: UInt32) {
    self.key = .plain(key)
    plainKey = key
    self.side = side
    self.random = random
  }

  var advertised: [AdvertisingStructure] {
    [
      .serviceData(.bit16(0x1853), [0x00]),
      .resolvableSetIdentifier(plainKey.identifier(random: random)[...]),
    ]
  }

  var services: [ServiceDefinition] {
    let set = ServiceDefinition(
      .coordinatedSet,
      [
        CharacteristicDefinition(
          .setKey, [.read, .notify], value: key.encoded(), readSecurity: security),
        CharacteristicDefinition(.setSize, .read, value: [2]),
        CharacteristicDefinition(.setRank, .read, value: [rank]),
      ])
    // Sink PAC with one LC3 record, and Sink Audio Locations; numbers instead of the driver's names
    // reveal a wrong name.
    let location = ServiceDefinition(
      .publishedAudioCapabilities,
      [
        CharacteristicDefinition(.bit16(0x2BC9), .read, value: [1, 6, 0, 0, 0, 0, 0, 0, 0]),
        CharacteristicDefinition(
          .bit16(0x2BCA), .read, value: [side == .left ? 1 : 2, 0, 0, 0]),
      ])
    return [set] + (reportsLocation ? [location] : [])
  }

  /// The rank, reversed if the location tells the side, since the rank must not be used then.
  private var rank: UInt8 {
    switch side {
    case .left: reportsLocation ? 2 : 1
    case .right: reportsLocation ? 1 : 2
    }
  }
}
