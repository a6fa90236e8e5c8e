public import BluetoothCodec
internal import BluetoothRadio
public import HeadphoneProtocols

/// A simulated Auracast broadcast.
public struct VirtualBroadcast: Hashable, Sendable {
  public var id: BroadcastID
  public var address: PeerAddress
  /// The identifier of the advertising set (SID).
  public var set: UInt8
  /// Whether the radio reports the set, as the kernel does; bluetoothd does not.
  public var reportsSet = true
  /// The advertised name.
  public var name: String
  public var features: PublicBroadcastAnnouncement.Features
  /// The metadata: language, kind of audio and programme.
  public var metadata: [AudioMetadata]
  /// The broadcast code, or nil if the broadcast is open.
  public var code: String?
  /// The signal strength in dBm.
  public var rssi: Int8

  /// Creates a broadcast whose ID and address are derived from a number.
  public init(
    _ number: UInt32, _ name: String, _ features: PublicBroadcastAnnouncement.Features,
    language: String, programme: String? = nil, set: UInt8, code: String? = nil, rssi: Int8
  ) {
    id = BroadcastID(rawValue: 0xA1_7000 | number)
    address = PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5A00 | UInt64(number)), .random)
    self.name = name
    self.features = code == nil ? features : features.union(.encrypted)
    metadata = [AudioMetadata(0x04, Array(language.utf8)), AudioMetadata(0x08, [1])]
    if let programme { metadata.append(AudioMetadata(0x03, Array(programme.utf8))) }
    self.set = set
    self.code = code
    self.rssi = rssi
  }

  func peripheral(fade: Int8) -> DiscoveredPeripheral {
    let announcement = PublicBroadcastAnnouncement(features, metadata)
    var found = DiscoveredPeripheral(
      peer: address, rssi: rssi.addingReportingOverflow(fade).partialValue,
      data: AdvertisingData([
        .serviceData(.broadcastAnnouncement, id.encoded()[...]),
        .serviceData(.publicBroadcastAnnouncement, announcement.encoded()[...]),
        .broadcastName(name),
      ]), isConnectable: false)
    if reportsSet {
      found.advertisingSet = set
      found.periodicInterval = 0x50
    }
    return found
  }

  /// An airport with five broadcasts; two have a code ("lounge22", "staff-only"), and the set of
  /// one is unknown.
  public static let airport: [VirtualBroadcast] = {
    var chapel = VirtualBroadcast(
      4, "Chapel", .standardQuality, language: "eng", programme: "Evening prayer", set: 2,
      rssi: -72)
    chapel.reportsSet = false
    return [
      VirtualBroadcast(
        1, "Gate B12", .standardQuality, language: "deu", programme: "Boarding", set: 5,
        rssi: -54),
      VirtualBroadcast(
        2, "Gate B14", [.standardQuality, .highQuality], language: "eng", set: 1, rssi: -63),
      VirtualBroadcast(
        3, "Lounge", .highQuality, language: "eng", programme: "Piano", set: 0,
        code: "lounge22", rssi: -67),
      chapel,
      VirtualBroadcast(
        5, "Staff", .standardQuality, language: "fra", set: 9, code: "staff-only", rssi: -80),
    ]
  }()
}
