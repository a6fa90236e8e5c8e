public import Bluetooth
public import BluetoothCodec
internal import GATT

/// What the air shows of headphones that have a driver, beside the profiles of the configuration.
public enum FamilyAdvertisements {
  /// Nothing, Fast Pair, and the services of LE Audio: streams, common audio, telephony and media,
  /// hearing access.
  public static let services: Set<BluetoothUUID> = [
    NothingProtocol.service, .fastPair, .bit16(0x184E), .bit16(0x1853), .bit16(0x1855),
    .bit16(0x1854),
  ]

  /// Soundcore's services, of which a part is the model's; the proximity messages of AirPods and
  /// Beats, and Apple's products on the audio side.
  public static let patterns: Set<AdvertisingPattern> = [
    .service(SoundcoreProtocol.service, mask: SoundcoreProtocol.serviceMask),
    .manufacturer(
      company: ProximityAdvertisement.company, prefix: ProximityAdvertisement.prefix),
    .product(vendor: ProximityAdvertisement.company), .headphoneClass,
  ]
}
