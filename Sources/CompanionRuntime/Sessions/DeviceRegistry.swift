internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import HeadphoneProtocols
internal import Persistence

/// The identities of headphones across address changes.
///
/// The reducer compares serial numbers, which need a connection; ``merge(_:with:)`` applies the
/// result.
///
/// Rules, the strongest first:
///
/// 1. the identity address of a bond, to which a private address resolves, and which is also the
///    BR/EDR address if it is public;
/// 2. the BR/EDR address in the advertisement;
/// 3. the set key, which resolves the RSI of a coordinated set's member;
/// 4. the address itself.
///
/// A name proves nothing: any device can advertise it.
struct DeviceRegistry {
  private struct Entry {
    var id: HeadphoneID
    var audioAddress: String?
    var bondAddress: PeerAddress?
    var address: PeerAddress
    var isNew = false
    var setKey: SetKey?
    /// The last advertised resolvable set identifier (RSI).
    var setIdentifier: Bytes?
    /// The members' addresses that were discovered in this run, the newest last.
    var members: [PeerAddress] = []
    /// The members' addresses that are known from an earlier run.
    var remembered: [PeerAddress] = []
    /// The number of other members' advertisements since the last one from the primary address.
    var silence = 0

    /// The maximum number of kept member addresses, as private ones change every few minutes.
    private static let mostMembers = 8

    mutating func note(member peer: PeerAddress) {
      members.removeAll { $0 == peer }
      members = members.suffix(Self.mostMembers - 1) + [peer]
    }

    /// Returns whether a BR/EDR address is that of this headphone.
    ///
    /// A device has one public address for both sides (Core 5.4, Vol 3, Part C, 15.1), which its
    /// bond reveals if its LE side uses private ones.
    func hasAudioSide(at audio: BluetoothAddress) -> Bool {
      audioAddress == audio.description || bondAddress == PeerAddress(audio, .public)
    }
  }

  /// The number of advertisements of one member alone after which its address becomes primary.
  private static let longSilence = 5

  private var entries: [Entry] = []
  /// Headphones whose advertisements have no identity other than Apple's.
  private var apple: AppleDeviceTracker
  /// Resolves a private address to the identity address of its bond, else returns it unchanged.
  private let identity: (PeerAddress) -> PeerAddress

  /// Creates an empty registry; `identity` resolves a private address by the bonds.
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

  func peer(of id: HeadphoneID) -> PeerAddress? {
    peers[id]
  }

  var peers: [HeadphoneID: PeerAddress] {
    entries.reduce(into: apple.peers) { peers, entry in
      peers[entry.id] = entry.address
    }
  }

  /// Attributes an advertisement to a headphone, which may be new.
  ///
  /// - Parameter isLinked: Returns whether a headphone has a link, so that its own address does not
  ///   advertise.
  mutating func receive(
    _ peripheral: DiscoveredPeripheral, isLinked: (HeadphoneID) -> Bool = { _ in false }
  ) -> DiscoveredHeadphone {
    if let received = apple.receive(peripheral) ?? receive(member: peripheral, isLinked) {
      return received
    }
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
    received.isNameShortened = peripheral.data.isNameShortened
    // bluetoothd does not report advertised services while the sound is connected.
    received.isAudioOnly = peripheral.isAudioOnly && advertisement == nil
    received.isSetMember = peripheral.data.setIdentifier != nil
    received.earlierID = dropUnknownDevice(at: address, otherThan: entry.id)
    if received.earlierID == nil, bondAddress?.kind == .public {
      received.earlierID = dropUnknownDevice(
        at: PeerAddress(kept.address, .classic), otherThan: entry.id)
    }
    return received
  }

  /// Attributes a BR/EDR discovery to a headphone with a known LE side, which keeps the controls.
  private mutating func receive(audioSide peripheral: DiscoveredPeripheral) -> DiscoveredHeadphone?
  {
    guard peripheral.peer.kind == .classic,
      var entry = entries.first(where: {
        $0.hasAudioSide(at: peripheral.peer.address) && $0.address.kind != .classic
      })
    else { return nil }
    entry.audioAddress = peripheral.peer.address.description
    set(entry)
    var received = DiscoveredHeadphone(
      id: entry.id, name: peripheral.data.localName, address: entry.address,
      publicAddress: entry.audioAddress, bondAddress: entry.bondAddress)
    received.earlierID = dropUnknownDevice(at: peripheral.peer, otherThan: entry.id)
    return received
  }

  /// Removes the provisional entry of an address that turns out to be a known headphone's.
  private mutating func dropUnknownDevice(
    at address: PeerAddress, otherThan id: HeadphoneID
  ) -> HeadphoneID? {
    let unknownDevice = entries.firstIndex {
      $0.id != id && $0.address == address && $0.isNew
        && ($0.audioAddress == nil || address.kind == .classic)
        && $0.bondAddress == nil && $0.setKey == nil
    }
    return unknownDevice.map { entries.remove(at: $0).id }
  }

  /// Attributes a set member's advertisement to the headphone; nil for other devices.
  ///
  /// If the primary address no longer advertises, the member's address replaces it, as any member
  /// will do.
  private mutating func receive(
    member peripheral: DiscoveredPeripheral, _ isLinked: (HeadphoneID) -> Bool
  ) -> DiscoveredHeadphone? {
    guard let identifier = peripheral.data.setIdentifier,
      let index = entries.firstIndex(where: { $0.setKey?.resolves(identifier) == true }),
      entries[index].address != peripheral.peer,
      entries[index].bondAddress != identity(peripheral.peer)
    else { return nil }
    entries[index].silence = isLinked(entries[index].id) ? 0 : entries[index].silence + 1
    guard entries[index].silence < Self.longSilence else {
      entries[index].note(member: entries[index].address)
      entries[index].address = peripheral.peer
      return nil
    }
    entries[index].note(member: peripheral.peer)
    return DiscoveredHeadphone(
      id: entries[index].id, name: nil, address: entries[index].address,
      publicAddress: entries[index].audioAddress, bondAddress: entries[index].bondAddress,
      rssi: peripheral.rssi)
  }

  /// Returns the addresses of the other set members, discovered in this run, the newest last.
  func members(of id: HeadphoneID) -> [PeerAddress] {
    entries.first { $0.id == id }?.members ?? []
  }

  /// Returns the addresses of all other set members, also those known from an earlier run.
  func everyMember(of id: HeadphoneID) -> [PeerAddress] {
    let received = members(of: id)
    let remembered = entries.first { $0.id == id }?.remembered ?? []
    return received + remembered.filter { !received.contains($0) && $0 != peer(of: id) }
  }

  func headphone(withAudio address: BluetoothAddress) -> HeadphoneID? {
    entries.first { $0.audioAddress == address.description }?.id
  }

  func audioSide(of id: HeadphoneID) -> PeerAddress? {
    entries.first { $0.id == id }?.audioAddress.flatMap(BluetoothAddress.init(_:))
      .map { PeerAddress($0, .classic) }
  }

  func headphone(withMember peer: PeerAddress) -> HeadphoneID? {
    entries.first { $0.members.contains(peer) }?.id
  }

  /// Stores the key of a headphone's set, and returns headphones that turn out to be members.
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

  /// Stores the identity address of a headphone, which was paired under a private one.
  mutating func learn(_ identity: PeerAddress, of id: HeadphoneID) -> DiscoveredHeadphone? {
    guard var entry = entries.first(where: { $0.id == id }) else { return nil }
    (entry.address, entry.bondAddress) = (identity, identity)
    let audioSide = PeerAddress(identity.address, .classic)
    let row = identity.kind == .public ? dropUnknownDevice(at: audioSide, otherThan: id) : nil
    if row != nil { entry.audioAddress = identity.address.description }
    set(entry)
    var found = DiscoveredHeadphone(
      id: id, name: nil, address: identity, publicAddress: entry.audioAddress,
      bondAddress: identity)
    found.earlierID = row
    return found
  }

  /// Merges two entries: the newer's advertisements belong to the older from now on.
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
    // Resolving costs one AES block for each bond, so identity addresses are skipped.
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
    let same = entries.first {
      guard $0.address == address || $0.address == identity else { return false }
      // Another headphone uses this private address now.
      return audioAddress == nil || $0.audioAddress == nil
    }
    guard same == nil, identity != address, identity.kind == .public else { return same }
    return entries.first { $0.address == PeerAddress(identity.address, .classic) }
  }

  /// Returns the identity from before the bond, discovered under a private address.
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

  /// Returns the identity, with a number appended if another headphone has it.
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

extension BatteryReport {
  fileprivate var parts: [Part: Battery] {
    let levels: [(Part, UInt8?)] = [(.left, left), (.right, right), (.case, `case`)]
    return Dictionary(
      uniqueKeysWithValues: levels.compactMap { part, level in
        level.map { (part, Battery(level: $0, isCharging: charging?.contains(part))) }
      })
  }
}
