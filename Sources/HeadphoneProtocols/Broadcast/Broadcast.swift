public import BluetoothCodec
public import BluetoothRadio

/// An Auracast broadcast, as its source advertises it.
public struct Broadcast: Hashable, Sendable, Identifiable {
  public var id: BroadcastID
  public var address: PeerAddress
  /// The advertising set (SID), 0 to 15, or nil if not reported, such as by bluetoothd.
  public var set: UInt8?
  /// The interval of its periodic advertising in units of 1.25 ms, or nil if not reported.
  public var interval: UInt16?
  /// The displayable name, or nil if missing.
  public var name: String?
  /// The displayable programme, or nil if missing.
  public var programme: String?
  /// The language in three letters of ISO 639-3, or nil if unknown.
  public var language: String?
  /// The features of its streams, or nil if not announced.
  public var features: PublicBroadcastAnnouncement.Features?
  /// Whether there is sound now, or nil if not announced.
  public var hasSound: Bool?
  /// The signal strength in dBm, or nil if not reported.
  public var rssi: Int8?

  public init(_ id: BroadcastID, at address: PeerAddress) {
    self.id = id
    self.address = address
  }

  /// Creates a broadcast from a discovered device, or fails if the device advertises none.
  public init?(_ found: DiscoveredPeripheral) {
    guard let announcement = found.data.serviceData(for: .broadcastAnnouncement),
      let id = try? BroadcastID(announcement: announcement), found.peer.kind != .classic
    else { return nil }
    self.init(id, at: found.peer)
    set = found.advertisingSet
    interval = found.periodicInterval == 0 ? nil : found.periodicInterval
    rssi = found.rssi
    let announced = found.data.serviceData(for: .publicBroadcastAnnouncement)
      .flatMap { try? PublicBroadcastAnnouncement(decoding: $0) }
    features = announced?.features
    let metadata = announced?.metadata ?? []
    name =
      found.data.broadcastName ?? found.data.localName.flatMap { shownText(Array($0.utf8)[...]) }
      ?? metadata.broadcastName
    programme = metadata.programme
    language = metadata.language
    hasSound = metadata.hasSound
  }

  /// Whether a code is needed, or nil if not announced.
  public var isLocked: Bool? { features?.contains(.encrypted) }

  /// The name, or else "broadcast" and the identity.
  public var title: String { name ?? "broadcast \(id.displayText)" }
}
