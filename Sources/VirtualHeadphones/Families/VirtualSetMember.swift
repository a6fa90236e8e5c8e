public import Bluetooth
internal import BluetoothCodec
internal import GATT
public import HeadphoneProtocols

/// One of two buds with a link each: Coordinated Set Identification Service 1.0.
public struct VirtualSetMember: Hashable, Sendable {
  /// The SIRK characteristic's value: plain, or encrypted with the link's key.
  public var key: ReceivedSetKey
  /// The plain SIRK, from which the advertised RSI is derived.
  public var plainKey: SetKey
  /// The side, reported as audio location, or only by the rank (1 left, 2 right).
  public var side: Side
  /// The random part of the RSI, 24 bits.
  public var random: UInt32
  /// Whether it has Sink Audio Locations (PACS 1.0); otherwise only the rank distinguishes sides.
  public var reportsLocation = true
  /// Security required to read the SIRK.
  public var security: SecurityLevel = .low

  /// A member with a plain SIRK.
  ///
  /// - Parameter random: the random part of the RSI, 24 bits.
  public init(_ key: SetKey, _ side: Side, random: UInt32) {
    self.key = .plain(key)
    plainKey = key
    self.side = side
    self.random = random
  }

  /// The advertised Common Audio Service and RSI.
  var advertised: [AdvertisingStructure] {
    [
      .serviceData(.bit16(0x1853), [0x00]),
      .resolvableSetIdentifier(plainKey.identifier(random: random)[...]),
    ]
  }

  /// Coordinated Set Identification, and the published audio capabilities where the location is
  /// reported.
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

  /// The rank; reversed where the location determines the side, since it must not be used then.
  private var rank: UInt8 {
    switch side {
    case .left: reportsLocation ? 2 : 1
    case .right: reportsLocation ? 1 : 2
    }
  }
}
