internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import HeadphoneProtocols

/// The devices behind the advertisements of AirPods and Beats, which have no stable address.
///
/// Each bud advertises from its own changing address, with model, colour and battery levels.
/// Addresses with the same model and colour belong to one device while they report the same levels.
/// If the levels differ at the same time, there are two devices. If exactly one device of this
/// model is connected over BR/EDR, advertisements are attributed to it: the audio side has a stable
/// address, and reports the model, too.
///
/// The identity is "apple-MODEL-COLOUR" until the BR/EDR address is known. Addresses in
/// advertisements change every few minutes and are never stored.
struct AppleDeviceTracker {
  fileprivate struct Entry {
    var id: HeadphoneID
    /// Apple's model number, or nil for a headphone of an earlier run that has not advertised yet.
    var product: UInt16?
    /// The advertised colour, or nil before the first advertisement.
    var colour: UInt8?
    var audio: BluetoothAddress?
    var address: PeerAddress
    var reported: [PeerAddress: Reading<[Part: Battery]>] = [:]

    var peer: PeerAddress { audio.map { PeerAddress($0, .classic) } ?? address }
  }

  /// Apple's product numbers of headphones; phones and keyboards have others.
  static let products: ClosedRange<UInt16> = 0x2000...0x20FF
  /// The resolution of the advertised battery levels, in %.
  fileprivate static let step = 10
  /// The age beyond which an advertisement no longer counts, in ms.
  fileprivate static let late: Int64 = 30_000

  private let models: ModelCatalog
  private let now: () -> Timestamp
  private var entries: [Entry] = []

  init(models: ModelCatalog, now: @escaping () -> Timestamp) {
    self.models = models
    self.now = now
  }

  /// Adds a known headphone; other families, which have stable addresses, are ignored.
  mutating func know(_ headphone: KnownHeadphone) {
    let peer = headphone.address
    guard peer.kind == .classic else { return }
    entries.append(Entry(id: headphone.id, audio: peer.address, address: peer))
  }

  mutating func forget(_ id: HeadphoneID) { entries.removeAll { $0.id == id } }

  /// The address for the control channel: BR/EDR if known, else the last advertised one.
  var peers: [HeadphoneID: PeerAddress] {
    entries.reduce(into: [:]) { $0[$1.id] = $1.peer }
  }

  /// Returns the device of an advertisement, or nil if it is not from AirPods or Beats.
  mutating func receive(_ peripheral: DiscoveredPeripheral) -> DiscoveredHeadphone? {
    if let proximity = ProximityAdvertisement(peripheral.data, models) {
      let index = place(of: proximity, at: peripheral.peer)
      let entry = entries[index]
      var received = DiscoveredHeadphone(
        id: entry.id, name: models.appleName(proximity.model), address: entry.peer,
        publicAddress: entry.audio?.description, rssi: peripheral.rssi, battery: proximity.batteries
      )
      received.reported = AdvertisedState(
        wearing: proximity.wearing, isCaseOpen: proximity.isCaseOpen)
      return received
    }
    guard let product = peripheral.product, product.vendor == ProximityAdvertisement.company,
      Self.products.contains(product.product)
    else { return nil }
    let (index, unknownDevice) = place(of: product.product, at: peripheral.peer)
    var received = DiscoveredHeadphone(
      id: entries[index].id, name: models.appleName(product.product),
      address: peripheral.peer, publicAddress: peripheral.peer.address.description)
    received.earlierID = unknownDevice
    return received
  }

  /// Returns the entry for an advertisement, or a new one; its levels are kept for 30 s.
  private mutating func place(
    of proximity: ProximityAdvertisement, at peer: PeerAddress
  ) -> Int {
    let reported = Reading(proximity.batteries, seenAt: now())
    let index = known(proximity, reported, at: peer) ?? newDevice(proximity, at: peer)
    for other in entries.indices { entries[other].reported[peer] = nil }
    entries[index].product = proximity.model
    entries[index].colour = proximity.colour
    entries[index].address = peer
    entries[index].reported = entries[index].reported.filter {
      $0.value.isRecent(at: reported.seenAt)
    }
    entries[index].reported[peer] = reported
    return index
  }

  /// Returns the device that these levels fit, or nil if all devices in range report others.
  private func known(
    _ proximity: ProximityAdvertisement, _ reported: Reading<[Part: Battery]>, at peer: PeerAddress
  ) -> Int? {
    let same = entries.indices.filter {
      entries[$0].product == proximity.model && entries[$0].colour == proximity.colour
        && entries[$0].agrees(with: reported, at: peer)
    }
    let unseen = entries.indices.filter {
      entries[$0].product == proximity.model && entries[$0].colour == nil
    }
    return same.first { entries[$0].reported[peer] != nil } ?? same.first
      ?? (unseen.count == 1 ? unseen.first : nil)
  }

  /// Adds a device; another one of the same model and colour gets a number: "apple-2014-0x2".
  private mutating func newDevice(
    _ proximity: ProximityAdvertisement, at peer: PeerAddress
  ) -> Int {
    let name = "apple-\(String(proximity.model, radix: 16))-\(proximity.colour)"
    var (id, number) = (HeadphoneID(rawValue: name), 1)
    while entries.contains(where: { $0.id == id }) {
      number += 1
      id = HeadphoneID(rawValue: "\(name)x\(number)")
    }
    entries.append(Entry(id: id, address: peer))
    return entries.count - 1
  }

  /// Attributes a device that is connected over BR/EDR and reports its model.
  ///
  /// If exactly one advertising device of that model has no BR/EDR address yet, they are the same.
  ///
  /// - Returns: The device, and another entry that turned out to be the same device.
  private mutating func place(
    of product: UInt16, at peer: PeerAddress
  ) -> (index: Int, unknownDevice: HeadphoneID?) {
    let unconnected = entries.indices.filter {
      entries[$0].product == product && entries[$0].audio == nil
    }
    let received = unconnected.count == 1 ? unconnected.first : nil
    guard let same = entries.firstIndex(where: { $0.audio == peer.address }) else {
      guard let received else {
        entries.append(
          Entry(
            id: HeadphoneID(peer.address), product: product, audio: peer.address, address: peer))
        return (entries.count - 1, nil)
      }
      entries[received].audio = peer.address
      return (received, nil)
    }
    // A known device without a model: its advertisements alone do not identify it.
    guard entries[same].product == nil, let received else {
      entries[same].product = product
      return (same, nil)
    }
    let unknownDevice = entries[received]
    (entries[same].product, entries[same].colour) = (product, unknownDevice.colour)
    (entries[same].address, entries[same].reported) = (
      unknownDevice.address, unknownDevice.reported
    )
    entries.remove(at: received)
    return (received < same ? same - 1 : same, unknownDevice.id)
  }
}

extension AppleDeviceTracker.Entry {
  /// Returns whether recent levels at other addresses agree within a step; each bud rounds its own.
  fileprivate func agrees(with reading: Reading<[Part: Battery]>, at peer: PeerAddress) -> Bool {
    reported.allSatisfy { address, other in
      guard address != peer, other.isRecent(at: reading.seenAt) else { return true }
      return reading.value.allSatisfy { part, battery in
        guard let level = battery.level, let known = other.value[part]?.level else { return true }
        return abs(Int(level) - Int(known)) <= AppleDeviceTracker.step
      }
    }
  }
}

extension Reading {
  fileprivate func isRecent(at timestamp: Timestamp) -> Bool {
    abs(timestamp.milliseconds - seenAt.milliseconds) <= AppleDeviceTracker.late
  }
}
