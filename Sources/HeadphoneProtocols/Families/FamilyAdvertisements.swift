public import BluetoothCodec

/// The advertisements of headphones with a driver, apart from the configuration's profiles.
public enum FamilyAdvertisements {
  /// The services of Nothing, Fast Pair and LE Audio.
  ///
  /// Those of LE Audio are Audio Stream Control, Common Audio, Telephony and Media Audio, Hearing
  /// Access and Broadcast Audio Scan.
  public static let services: Set<BluetoothUUID> = [
    NothingProtocol.service, .fastPair, .bit16(0x184E), .bit16(0x1853), .bit16(0x1855),
    .bit16(0x1854), .broadcastAudioScan,
  ]

  /// The patterns of the other families.
  ///
  /// They are each family's advertisements over LE, the proximity messages of AirPods and Beats,
  /// Apple's products on the audio side, the Class of Device of headphones, and serial services.
  public static let patterns: Set<AdvertisingPattern> = Set(
    [
      .manufacturer(
        company: ProximityAdvertisement.company, prefix: ProximityAdvertisement.prefix),
      .product(vendor: ProximityAdvertisement.company), .headphoneClass,
    ] + serial + HeadphoneFamily.allCases.compactMap(\.gattProtocol).flatMap { $0.advertised })

  /// The patterns of services on serial channels, except for those that several makers share.
  ///
  /// They match the device's vendor if the service is not specific to the maker.
  private static let serial: [AdvertisingPattern] = HeadphoneFamily.allCases
    .compactMap(\.serialProtocol).flatMap { $0.services.filter { !$0.isShared }.map(\.pattern) }

  /// Returns the patterns, with those of driver files and of a chosen family's shared services.
  public static func patterns(
    forced: HeadphoneFamily?, drivers: [HeadphoneFamily] = []
  ) -> Set<AdvertisingPattern> {
    let own = drivers.flatMap(\.serialServices).filter { !$0.isShared }
    let shared = (forced?.serialServices ?? []).filter { $0.isShared || forced?.table != nil }
    return patterns.union((own + shared).map(\.pattern))
  }

  /// Returns the services over GATT of driver files.
  public static func services(of drivers: [HeadphoneFamily]) -> Set<BluetoothUUID> {
    Set(
      drivers.compactMap { family in
        guard case .characteristics(let service, _, _)? = family.table?.channel else { return nil }
        return service
      })
  }
}

extension SerialService {
  fileprivate var pattern: AdvertisingPattern {
    if let vendor, !isCommon { return .product(vendor: vendor) }
    return .serialService(uuid, mask: mask, vendor: vendor)
  }
}
