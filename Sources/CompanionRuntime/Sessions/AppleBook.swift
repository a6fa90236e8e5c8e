internal import BluetoothCodec
internal import Companion
internal import GATT
internal import Headphones

/// Which AirPods or Beats are heard: by the model that their advertisements tell, and by the address
/// of their audio side, which tells its model too.
///
/// Each bud advertises with an address of its own that changes, so all of one model and colour are
/// one; and the one of that model whose audio side is connected here is that one.
struct AppleBook {
  private struct Entry {
    var id: HeadphoneID
    /// Nil: known from an earlier run, and not told yet.
    var product: UInt16?
    /// Nil: it has not advertised yet.
    var colour: UInt8?
    /// Nil: its audio side is not known.
    var audio: BluetoothAddress?
    /// Where it advertised the last time.
    var address: PeerAddress

    var peer: PeerAddress { audio.map { PeerAddress($0, .classic) } ?? address }
  }

  /// Headphones among Apple's products; phones and keyboards have other numbers.
  static let products: ClosedRange<UInt16> = 0x2000...0x20FF

  private let models: ModelBook
  private var entries: [Entry] = []

  init(models: ModelBook) { self.models = models }

  /// Learns of a headphone of an earlier run; others than these have no address of BR/EDR.
  mutating func know(_ headphone: KnownHeadphone) {
    guard let peer = PeerAddress(headphone.address), peer.kind == .classic else { return }
    entries.append(Entry(id: headphone.id, audio: peer.address, address: peer))
  }

  mutating func forget(_ id: HeadphoneID) { entries.removeAll { $0.id == id } }

  /// Where controls are reached, else where it advertised the last time.
  var peers: [HeadphoneID: PeerAddress] {
    entries.reduce(into: [:]) { $0[$1.id] = $1.peer }
  }

  /// What a sighting says of a headphone, and of which; nil: it is none of these.
  mutating func hear(_ sighting: Sighting) -> HeadphoneSighting? {
    if let proximity = ProximityAdvertisement(sighting.data, models) {
      let index = place(of: proximity, at: sighting.peer)
      let entry = entries[index]
      var heard = HeadphoneSighting(
        id: entry.id, name: models.appleName(proximity.model), address: AirAddress(entry.peer),
        publicAddress: entry.audio?.description, rssi: sighting.rssi, battery: proximity.batteries)
      heard.told = AdvertisedState(
        wearing: proximity.wearing, isCaseOpen: proximity.isCaseOpen)
      return heard
    }
    guard let product = sighting.product, product.vendor == ProximityAdvertisement.company,
      Self.products.contains(product.product)
    else { return nil }
    let entry = entries[place(of: product.product, at: sighting.peer)]
    return HeadphoneSighting(
      id: entry.id, name: models.appleName(product.product), address: AirAddress(sighting.peer),
      publicAddress: sighting.peer.address.description)
  }

  private mutating func place(
    of proximity: ProximityAdvertisement, at peer: PeerAddress
  ) -> Int {
    let same = entries.firstIndex { $0.product == proximity.model && $0.colour == proximity.colour }
    let unheard = entries.indices.filter {
      entries[$0].product == proximity.model && entries[$0].colour == nil
    }
    if let index = same ?? (unheard.count == 1 ? unheard.first : nil) {
      entries[index].colour = proximity.colour
      entries[index].address = peer
      return index
    }
    let model = String(proximity.model, radix: 16)
    entries.append(
      Entry(
        id: HeadphoneID(rawValue: "apple-\(model)-\(proximity.colour)"), product: proximity.model,
        colour: proximity.colour, address: peer))
    return entries.count - 1
  }

  private mutating func place(of product: UInt16, at peer: PeerAddress) -> Int {
    let unconnected = entries.indices.filter {
      entries[$0].product == product && entries[$0].audio == nil
    }
    let same = entries.firstIndex { $0.audio == peer.address }
    if let index = same ?? (unconnected.count == 1 ? unconnected.first : nil) {
      entries[index].product = product
      entries[index].audio = peer.address
      return index
    }
    entries.append(
      Entry(
        id: HeadphoneID(peer.address), product: product, audio: peer.address, address: peer))
    return entries.count - 1
  }
}
