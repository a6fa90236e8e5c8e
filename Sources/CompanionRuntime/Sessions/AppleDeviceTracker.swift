internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import GATT
internal import HeadphoneProtocols

/// Which AirPods or Beats are heard: by the model that their advertisements tell, and by the
/// address of their audio side, which tells its model too.
///
/// Each bud advertises with an address of its own that changes. Those of one model and colour are
/// one as long as they tell the same levels; where they do not at the same time, somebody else's
/// are near. The one of a model whose audio side is connected here is the one that is heard, if
/// only one is.
struct AppleDeviceTracker {
  fileprivate struct Entry {
    var id: HeadphoneID
    /// Nil: known from an earlier run, and not told yet.
    var product: UInt16?
    /// Nil: it has not advertised yet.
    var colour: UInt8?
    /// Nil: its audio side is not known.
    var audio: BluetoothAddress?
    /// Where it advertised the last time.
    var address: PeerAddress
    /// What each of its addresses told of late.
    var reported: [PeerAddress: Reading<[Part: Battery]>] = [:]

    var peer: PeerAddress { audio.map { PeerAddress($0, .classic) } ?? address }
  }

  /// Headphones among Apple's products; phones and keyboards have other numbers.
  static let products: ClosedRange<UInt16> = 0x2000...0x20FF
  /// %.
  fileprivate static let step = 10
  /// Milliseconds.
  fileprivate static let late: Int64 = 30_000

  private let models: ModelCatalog
  private let now: () -> Timestamp
  private var entries: [Entry] = []

  init(models: ModelCatalog, now: @escaping () -> Timestamp) {
    self.models = models
    self.now = now
  }

  /// Learns of a headphone of an earlier run; others than these have no address of BR/EDR.
  mutating func know(_ headphone: KnownHeadphone) {
    let peer = headphone.address
    guard peer.kind == .classic else { return }
    entries.append(Entry(id: headphone.id, audio: peer.address, address: peer))
  }

  mutating func forget(_ id: HeadphoneID) { entries.removeAll { $0.id == id } }

  /// Where controls are reached, else where it advertised the last time.
  var peers: [HeadphoneID: PeerAddress] {
    entries.reduce(into: [:]) { $0[$1.id] = $1.peer }
  }

  /// What a sighting says of a headphone, and of which; nil: it is none of these.
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

  /// The one that can be heard so; nil: all that are near tell otherwise.
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

  /// - Returns: also what was taken for another headphone until its audio side told its model.
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
    // One of an earlier run: its advertisements alone do not tell whose they are.
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
  /// Whether its other addresses, as far as they were heard of late, tell the same levels; steps
  /// are rounded by each bud for itself.
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
  /// A bud that is on the air is heard several times in this time.
  fileprivate func isRecent(at timestamp: Timestamp) -> Bool {
    abs(timestamp.milliseconds - seenAt.milliseconds) <= AppleDeviceTracker.late
  }
}
