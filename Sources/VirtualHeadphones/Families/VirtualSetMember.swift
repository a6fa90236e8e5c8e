public import Bluetooth
internal import BluetoothCodec
internal import GATT
public import HeadphoneProtocols

/// One of two buds with a link each, by the Coordinated Set Identification service.
public struct VirtualSetMember: Hashable, Sendable {
  /// As it is told: plain, or encrypted by the link's key.
  public var key: ReceivedSetKey
  /// The set's key itself, by which it advertises.
  public var plainKey: SetKey
  /// Which bud it is: told by where it plays, else by its rank (1 left, 2 right).
  public var side: Side
  /// Of what its advertised identifier has the hash.
  public var random: UInt32
  /// Whether it tells where it plays; else only its rank tells its side.
  public var reportsLocation = true
  /// What its set's key demands of the link.
  public var security: SecurityLevel = .low

  /// Its key is told plain; `random`: 24 bits.
  public init(_ key: SetKey, _ side: Side, random: UInt32) {
    self.key = .plain(key)
    plainKey = key
    self.side = side
    self.random = random
  }

  /// LE Audio's common service, and what tells its set.
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
    // Sink PAC, one record of LC3, and Sink Audio Locations: by number, not by the driver's names.
    let location = ServiceDefinition(
      .publishedAudioCapabilities,
      [
        CharacteristicDefinition(.bit16(0x2BC9), .read, value: [1, 6, 0, 0, 0, 0, 0, 0, 0]),
        CharacteristicDefinition(
          .bit16(0x2BCA), .read, value: [side == .left ? 1 : 2, 0, 0, 0]),
      ])
    return [set] + (reportsLocation ? [location] : [])
  }

  /// Of no meaning where the location tells the side, so the other way round there.
  private var rank: UInt8 {
    switch side {
    case .left: reportsLocation ? 2 : 1
    case .right: reportsLocation ? 1 : 2
    }
  }
}
