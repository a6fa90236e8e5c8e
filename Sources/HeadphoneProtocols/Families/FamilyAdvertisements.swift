public import Bluetooth
public import BluetoothCodec
internal import GATT

/// The advertisements of headphones that have a driver, apart from the profiles of the
/// configuration.
public enum FamilyAdvertisements {
  /// The services of Nothing, Fast Pair and LE Audio: streams, common audio, telephony and media,
  /// hearing access, and what can be sent to a broadcast.
  public static let services: Set<BluetoothUUID> = [
    NothingProtocol.service, .fastPair, .bit16(0x184E), .bit16(0x1853), .bit16(0x1855),
    .bit16(0x1854), .broadcastAudioScan,
  ]

  /// The patterns of the other families.
  ///
  /// These are what each family over LE advertises; the proximity messages of AirPods and Beats,
  /// Apple's products on the audio side, and the services on serial channels.
  public static let patterns: Set<AdvertisingPattern> = Set(
    [
      .manufacturer(
        company: ProximityAdvertisement.company, prefix: ProximityAdvertisement.prefix),
      .product(vendor: ProximityAdvertisement.company), .headphoneClass,
    ] + serial + HeadphoneFamily.allCases.compactMap(\.gattProtocol).flatMap { $0.advertised })

  /// The services on serial channels, or the device's vendor if the service is not specific to the
  /// maker; a service that makers share shows no headphone.
  private static let serial: [AdvertisingPattern] = HeadphoneFamily.allCases
    .compactMap(\.serialProtocol).flatMap { $0.services.filter { !$0.isShared }.map(\.pattern) }

  /// The patterns, and those of the services that makers share and of which a person says that they
  /// are this family's.
  ///
  /// - Parameter forced: the family (`--driver`); nil: none.
  public static func patterns(forced: HeadphoneFamily?) -> Set<AdvertisingPattern> {
    let shared = (forced?.serialProtocol?.services ?? []).filter(\.isShared)
    return patterns.union(shared.map(\.pattern))
  }
}

extension SerialService {
  /// What shows a headphone that has it.
  fileprivate var pattern: AdvertisingPattern {
    if let vendor, !isCommon { return .product(vendor: vendor) }
    return .serialService(uuid, mask: mask, vendor: vendor)
  }
}
