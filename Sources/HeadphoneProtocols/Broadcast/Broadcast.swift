public import Bluetooth
public import BluetoothCodec

/// An Auracast broadcast, as its source advertises it.
public struct Broadcast: Hashable, Sendable, Identifiable {
  public var id: BroadcastID
  /// The address of its source, which may change.
  public var address: PeerAddress
  /// The advertising set (SID), 0 to 15; nil: not reported, as by bluetoothd.
  public var set: UInt8?
  /// The interval of its periodic advertising in units of 1.25 ms; nil: not reported.
  public var interval: UInt16?
  /// Safe to show; nil: it has none.
  public var name: String?
  /// What is on, safe to show.
  public var programme: String?
  /// Three letters of ISO 639-3.
  public var language: String?
  /// What its streams are; nil: it is not for everyone, and does not say.
  public var features: PublicBroadcastAnnouncement.Features?
  /// Whether there is sound now; nil: it does not say.
  public var hasSound: Bool?
  /// dBm; nil: not reported.
  public var rssi: Int8?

  public init(_ id: BroadcastID, at address: PeerAddress) {
    self.id = id
    self.address = address
  }

  /// What was discovered; nil: it is no broadcast.
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

  /// Whether a code is needed; nil: it does not say.
  public var isLocked: Bool? { features?.contains(.encrypted) }

  /// The name, or the identity where it has none.
  public var title: String { name ?? "broadcast \(id.displayText)" }
}
