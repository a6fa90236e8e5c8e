internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import GATT
internal import HeadphoneProtocols
internal import Persistence

/// Which headphone is heard: by its bond, by its audio side, by its address; never by its name.
///
/// The serial number, which only a connection tells, is looked at in ``State``; what it tells comes
/// back here by ``merge(_:with:)``.
struct DeviceRegistry {
  private struct Entry {
    var id: HeadphoneID
    /// As text, as the headphone advertises it.
    var audioAddress: String?
    var bondAddress: PeerAddress?
    var address: PeerAddress
    /// First heard in this run.
    var isNew = false
    /// Of its set; nil: it is whole, or that is not known.
    var setKey: SetKey?
    /// What it advertised the last time as a member of a set.
    var setIdentifier: Bytes?
    /// Where further members of its set were heard.
    var members: [PeerAddress] = []
    /// Where they were called in an earlier run.
    var remembered: [PeerAddress] = []
    /// How often they were heard since it was itself.
    var silence = 0
  }

  /// A bud is often heard this many times before the other one is heard once.
  private static let longSilence = 5

  private var entries: [Entry] = []
  private var apple: AppleDeviceTracker
  /// The address that a bonded device keeps, by one that it uses today; else the same.
  private let identity: (PeerAddress) -> PeerAddress

  init(
    models: ModelCatalog = ModelCatalog(), now: @escaping () -> Timestamp,
    identity: @escaping (PeerAddress) -> PeerAddress = { $0 }
  ) {
    apple = AppleDeviceTracker(models: models, now: now)
    self.identity = identity
  }

  init(bonds: any BondStore, models: ModelCatalog, now: @escaping () -> Timestamp) {
    self.init(models: models, now: now) { bonds.identity(of: $0) }
  }

  /// Learns of a headphone of an earlier run.
  mutating func know(_ headphone: KnownHeadphone) {
    apple.know(headphone)
    guard headphone.address.kind != .classic else { return }
    set(
      Entry(
        id: headphone.id, audioAddress: headphone.publicAddress,
        bondAddress: headphone.bondAddress, address: headphone.address,
        setKey: headphone.setKey,
        remembered: headphone.memberAddresses))
  }

  mutating func forget(_ id: HeadphoneID) {
    entries.removeAll { $0.id == id }
    apple.forget(id)
  }

  /// Where a headphone was heard the last time.
  func peer(of id: HeadphoneID) -> PeerAddress? {
    peers[id]
  }

  /// Where each headphone was heard the last time.
  var peers: [HeadphoneID: PeerAddress] {
    entries.reduce(into: apple.peers) { peers, entry in
      peers[entry.id] = entry.address
    }
  }

  /// What a sighting says of a headphone, and of which.
  mutating func receive(_ peripheral: DiscoveredPeripheral) -> DiscoveredHeadphone {
    if let received = apple.receive(peripheral) ?? receive(member: peripheral) { return received }
    let advertisement = HeadphoneAdvertisement(peripheral.data)
    let fastPair = FastPairAdvertisement(peripheral.data)?.batteries ?? [:]
    let audioAddress =
      (advertisement?.audioAddress ?? peripheral.audioAddress
      ?? (peripheral.peer.kind == .classic ? peripheral.peer.address : nil))?.description
    if let received = receive(audioSide: peripheral) { return received }
    let kept = identity(peripheral.peer)
    let address = peripheral.peer
    let bondAddress = kept == peripheral.peer ? nil : kept
    var entry =
      known(by: kept, audioAddress, address)
      ?? Entry(
        id: unused(HeadphoneID(advertisement?.audioAddress ?? kept.address)), address: address,
        isNew: true)
    entry.audioAddress = audioAddress ?? entry.audioAddress
    entry.bondAddress = bondAddress ?? entry.bondAddress
    entry.address = address
    entry.setIdentifier = peripheral.data.setIdentifier
    entry.members.removeAll { $0 == peripheral.peer }
    entry.silence = 0
    set(entry)
    var received = DiscoveredHeadphone(
      id: entry.id, name: peripheral.data.localName, address: address,
      publicAddress: audioAddress, bondAddress: entry.bondAddress, rssi: peripheral.rssi,
      battery: advertisement?.battery.parts ?? (fastPair.isEmpty ? nil : fastPair))
    received.isAudioOnly = peripheral.isAudioOnly
    received.earlierID = dropUnknownDevice(at: address, otherThan: entry.id)
    return received
  }

  /// The audio side of a headphone whose LE side is known: the control link stays there; nil: it is
  /// none.
  private mutating func receive(audioSide peripheral: DiscoveredPeripheral) -> DiscoveredHeadphone?
  {
    guard peripheral.peer.kind == .classic,
      let entry = entries.first(where: {
        $0.audioAddress == peripheral.peer.address.description && $0.address.kind != .classic
      })
    else { return nil }
    return DiscoveredHeadphone(
      id: entry.id, name: peripheral.data.localName, address: entry.address,
      publicAddress: entry.audioAddress, bondAddress: entry.bondAddress)
  }

  /// A new address is a stranger's until a later packet tells of the audio side.
  private mutating func dropUnknownDevice(
    at address: PeerAddress, otherThan id: HeadphoneID
  ) -> HeadphoneID? {
    let unknownDevice = entries.firstIndex {
      $0.id != id && $0.address == address && $0.isNew && $0.audioAddress == nil
        && $0.bondAddress == nil && $0.setKey == nil
    }
    return unknownDevice.map { entries.remove(at: $0).id }
  }

  /// Hears a member of a set whose headphone has another address; nil: it is none.
  ///
  /// Where the headphone's own address is silent, the member's takes its place: either bud will do.
  private mutating func receive(member peripheral: DiscoveredPeripheral) -> DiscoveredHeadphone? {
    guard let identifier = peripheral.data.setIdentifier,
      let index = entries.firstIndex(where: { $0.setKey?.resolves(identifier) == true }),
      entries[index].address != peripheral.peer,
      entries[index].bondAddress != identity(peripheral.peer)
    else { return nil }
    entries[index].silence += 1
    guard entries[index].silence < Self.longSilence else {
      entries[index].members.append(entries[index].address)
      entries[index].address = peripheral.peer
      return nil
    }
    if !entries[index].members.contains(peripheral.peer) {
      entries[index].members.append(peripheral.peer)
    }
    return DiscoveredHeadphone(
      id: entries[index].id, name: nil, address: entries[index].address,
      publicAddress: entries[index].audioAddress, bondAddress: entries[index].bondAddress,
      rssi: peripheral.rssi)
  }

  /// Where further members of a headphone's set were heard.
  func members(of id: HeadphoneID) -> [PeerAddress] {
    entries.first { $0.id == id }?.members ?? []
  }

  /// The same, with those that were called in an earlier run and not heard in this one.
  func everyMember(of id: HeadphoneID) -> [PeerAddress] {
    let received = members(of: id)
    let remembered = entries.first { $0.id == id }?.remembered ?? []
    return received + remembered.filter { !received.contains($0) && $0 != peer(of: id) }
  }

  /// The headphone whose audio side has this address.
  func headphone(withAudio address: BluetoothAddress) -> HeadphoneID? {
    entries.first { $0.audioAddress == address.description }?.id
  }

  /// The audio side of a headphone; nil: it is not known.
  func audioSide(of id: HeadphoneID) -> PeerAddress? {
    entries.first { $0.id == id }?.audioAddress.flatMap(BluetoothAddress.init(_:))
      .map { PeerAddress($0, .classic) }
  }

  /// The headphone of whose set a member was heard there.
  func headphone(withMember peer: PeerAddress) -> HeadphoneID? {
    entries.first { $0.members.contains(peer) }?.id
  }

  /// Learns the key of a headphone's set.
  ///
  /// - Returns: what was heard as headphones of their own and is of the same set.
  mutating func learn(_ key: SetKey, of id: HeadphoneID) -> [HeadphoneID] {
    guard var entry = entries.first(where: { $0.id == id }) else { return [] }
    let others = entries.filter { other in
      other.id != id
        && (other.setKey == key || other.setIdentifier.map(key.resolves) == true)
    }
    entry.setKey = key
    entry.members += others.map(\.address)
    entries.removeAll { entry in others.contains { $0.id == entry.id } }
    set(entry)
    return others.map(\.id)
  }

  /// What is heard as the first is the second from now on.
  mutating func merge(_ newer: HeadphoneID, with older: HeadphoneID) {
    guard var entry = entries.first(where: { $0.id == newer }) else { return }
    let before = entries.first { $0.id == older }
    entries.removeAll { $0.id == newer }
    entry.id = older
    entry.audioAddress = entry.audioAddress ?? before?.audioAddress
    entry.bondAddress = entry.bondAddress ?? before?.bondAddress
    set(entry)
  }

  private func known(
    by identity: PeerAddress, _ audioAddress: String?, _ address: PeerAddress
  ) -> Entry? {
    if let bonded = entries.first(where: { $0.bondAddress == identity }) { return bonded }
    // To resolve an address costs a computation for each bond, and gives one that lasts.
    if identity.isIdentity,
      var paired = entries.first(where: { $0.bondAddress == nil && keptAddress(of: $0) == identity }
      )
    {
      paired.bondAddress = identity
      return paired
    }
    if let audioAddress, let same = entries.first(where: { $0.audioAddress == audioAddress }) {
      return same
    }
    return entries.first {
      guard $0.address == address || $0.address == identity else { return false }
      // A private address that another headphone has taken since.
      return audioAddress == nil || $0.audioAddress == nil
    }
  }

  /// Of a headphone that was heard under a private address before the two had keys.
  private func keptAddress(of entry: Entry) -> PeerAddress? {
    let kept = identity(entry.address)
    return kept == entry.address ? nil : kept
  }

  private mutating func set(_ entry: Entry) {
    if let index = entries.firstIndex(where: { $0.id == entry.id }) {
      entries[index] = entry
    } else {
      entries.append(entry)
    }
  }

  /// The same, or a number behind it where a headphone with another address of today has it.
  private func unused(_ id: HeadphoneID) -> HeadphoneID {
    var number = 1
    var candidate = id
    while entries.contains(where: { $0.id == candidate }) {
      number += 1
      candidate = HeadphoneID(rawValue: "\(id.rawValue)x\(number)")
    }
    return candidate
  }
}

extension Dependencies {
  /// A book with the headphones of earlier runs; those that cannot be read are strangers.
  var deviceRegistry: DeviceRegistry {
    var registry = DeviceRegistry(bonds: bonds, models: models, now: now)
    for headphone in (try? known.all()) ?? [] { registry.know(headphone) }
    return registry
  }
}

extension BatteryReport {
  /// The parts of which something is known.
  fileprivate var parts: [Part: Battery] {
    let levels: [(Part, UInt8?)] = [(.left, left), (.right, right), (.case, `case`)]
    return Dictionary(
      uniqueKeysWithValues: levels.compactMap { part, level in
        level.map { (part, Battery(level: $0, isCharging: charging?.contains(part))) }
      })
  }
}
