public import BluetoothCodec

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

  /// Creates a broadcast from what a device advertises, or fails if that is none.
  ///
  /// - Parameters:
  ///   - set: the advertising set (SID), or nil if not reported.
  ///   - interval: the interval of its periodic advertising in units of 1.25 ms, or 0 if not reported.
  ///   - rssi: the signal strength in dBm, or nil if not reported.
  public init?(
    _ data: AdvertisingData, at address: PeerAddress, set: UInt8? = nil, interval: UInt16 = 0,
    rssi: Int8? = nil
  ) {
    guard let announcement = data.serviceData(for: .broadcastAnnouncement),
      let id = try? BroadcastID(announcement: announcement), address.kind != .classic
    else { return nil }
    self.init(id, at: address)
    self.set = set
    self.interval = interval == 0 ? nil : interval
    self.rssi = rssi
    let announced = data.serviceData(for: .publicBroadcastAnnouncement)
      .flatMap { try? PublicBroadcastAnnouncement(decoding: $0) }
    features = announced?.features
    let metadata = announced?.metadata ?? []
    name =
      data.broadcastName ?? data.localName.flatMap { shownText(Array($0.utf8)[...]) }
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
