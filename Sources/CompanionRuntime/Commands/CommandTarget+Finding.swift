internal import BluetoothCodec
internal import BluetoothRadio
package import Companion
internal import HeadphoneProtocols

extension CommandTarget {
  /// The time to wait for more headphones after the first discovery.
  private static let settlingTime = Duration.seconds(1)

  func find(
    _ selector: String?, _ need: Need
  ) async throws(CommandError) -> HeadphoneState {
    let known = meant(by: selector, need, in: state)
    if isSettled(known, selector, need), let headphone = try pick(known, selector) {
      return headphone
    }
    let address = selector.flatMap(BluetoothAddress.init(_:))
    // This family's controls use the BR/EDR link, for which the address suffices.
    if family?.isOnAudioSide == true, let address,
      let found = introduce(PeerAddress(address, .classic))
    {
      return found
    }
    // A connected device does not advertise, so a link that another program holds is found here.
    if known.isEmpty, let address {
      let links = await effects.dependencies.links(for: .seconds(1)) ?? []
      let isLinked = links.contains { $0.kind == .le && $0.address == address }
      if isLinked, let found = introduce(address.likelyPeer) { return found }
    }
    // The command's scan is useless afterwards, and slows connecting down.
    let wasScanning = state.scan == .scanning
    defer { if !wasScanning, state.scan == .scanning { store.press(.scan) } }
    if known.isEmpty {
      func isFound(_ state: State) -> Bool { !meant(by: selector, need, in: state).isEmpty }
      func isNear(_ state: State) -> Bool {
        selector.flatMap(state.headphones.nearestName) != nil
      }
      await look { isFound($0) || isNear($0) }
      // The headphone of that very name may be heard a moment later.
      if !isFound(state), isNear(state) { await first(within: Self.settlingTime, isFound) }
    } else if !wasScanning {
      store.press(.scan)
    }
    if meant(by: selector, need, in: state).isEmpty {
      // Without permission to scan, an address of known type can still be connected.
      if case .denied = state.scan, let found = address.flatMap({ introduce($0.likelyPeer) }) {
        return found
      }
      if let failure = effects.adapterFailure.map(CommandError.radio) ?? state.scanFailure {
        throw failure
      }
      if let selector, let name = state.headphones.nearestName(to: selector) {
        throw .misspelt(selector: selector, name: name)
      }
      throw .notFound(selector: selector)
    }
    let isWholeName = selector.map { name in
      meant(by: name, need, in: state).contains { $0.match(name) == .name }
    }
    await first(within: isWholeName == true ? namesakeTime : Self.settlingTime) { state in
      state.scanFailure != nil
        || self.isSettled(self.meant(by: selector, need, in: state), selector, need)
    }
    guard let found = try pick(meant(by: selector, need, in: state), selector) else {
      throw .notFound(selector: selector)
    }
    return found
  }

  private func meant(by selector: String?, _ need: Need, in state: State) -> [HeadphoneState] {
    if need == .audio { return withAudio(by: selector, in: state) }
    if let selector { return state.headphones.named(selector) }
    switch fallback {
    case .selected:
      // Before the app has chosen its headphone, the first one discovered has no meaning.
      guard state.autoConnect == .never else { return [] }
      return state.headphoneOfCommands.map { [$0] } ?? []
    case .lastUsed:
      return state.headphones.lastUsed.map { [$0] } ?? state.headphones.filter(\.isNearby)
    }
  }

  /// Returns the headphones with a known audio side or a sound device that a command may mean.
  private func withAudio(by selector: String?, in state: State) -> [HeadphoneState] {
    func isAble(_ headphone: HeadphoneState) -> Bool {
      headphone.soundAddress != nil || state.audioMatch(for: headphone) != nil
    }
    let able = state.headphones.filter(isAble)
    if let selector { return able.named(selector) }
    let own = [state.headphoneOfCommands, state.headphones.lastUsed].compactMap(\.self)
      .first(where: isAble)
    return own.map { [$0] } ?? able.filter(\.isNearby)
  }

  /// Returns whether no further discovery can change which headphone is meant.
  ///
  /// Part of a name may be the whole name of a headphone that was not discovered yet, unless it is
  /// a word of one that is in use. Two new headphones may have the same name.
  private func isSettled(_ found: [HeadphoneState], _ selector: String?, _ need: Need) -> Bool {
    if let selector {
      guard let first = found.first, let match = first.match(selector) else { return false }
      if match.isExact {
        if need == .audio { return true }
        return found.contains { headphone in
          if headphone.lastUsed != nil { return !headphone.isAdvertisingOnly }
          return headphone.isComplete && (match == .identifier || headphone.link.isConnected)
        }
      }
      guard found.count == 1 else { return false }
      return first.link.isConnected || match != .beginning && first.lastUsed != nil
    }
    if need == .audio { return !found.isEmpty }
    if case .selected = fallback { return !found.isEmpty }
    return found.contains { $0.lastUsed != nil }
  }

  private func pick(
    _ found: [HeadphoneState], _ selector: String?
  ) throws(CommandError) -> HeadphoneState? {
    if selector == nil, case .lastUsed(else: .nearest) = fallback {
      return found.max { ($0.rssi ?? .min) < ($1.rssi ?? .min) }
    }
    let complete = found.filter(\.isComplete)
    let meant = complete.isEmpty ? found : complete
    // Any bud of a set that was never linked will do.
    if meant.allSatisfy(\.isSetMember), Set(meant.map(\.name)).count == 1 { return meant.first }
    guard meant.count <= 1 else { throw .ambiguous(meant) }
    return meant.first
  }

  /// Scans until a headphone is found, scanning fails, or the time-out.
  private func look(until isFound: (State) -> Bool) async {
    // A scan has a fixed length; a longer time-out takes several.
    var scans = Int((timeout / Self.scanDuration).rounded(.up))
    if state.scan != .scanning { store.press(.scan) }
    await first(within: timeout) { [store] state in
      if isFound(state) || state.adapter.isUnusable { return true }
      if state.scan == .idle, case .ready = state.adapter {
        scans -= 1
        guard scans > 0 else { return true }
        store.press(.scan)
      }
      return state.scanFailure != nil
    }
  }

  private static let scanDuration = ScanOptions(services: []).duration ?? .seconds(20)

  private func introduce(_ peer: PeerAddress) -> HeadphoneState? {
    let id = HeadphoneID(peer.address)

    let audio = peer.kind == .classic ? peer.address.description : nil
    effects.links.know(
      KnownHeadphone(id: id, name: "", address: peer, publicAddress: audio))
    store.send(
      .discovered(DiscoveredHeadphone(id: id, name: nil, address: peer, publicAddress: audio)))
    return state.headphones[id]
  }
}

extension BluetoothAddress {
  /// The LE peer, of whose address the upper bits tell the type (Core 5.4, Vol 6, Part B, 1.3.2.1).
  fileprivate var likelyPeer: PeerAddress {
    let random = PeerAddress(self, .random)
    return random.randomKind == .static ? random : PeerAddress(self, .public)
  }
}

extension HeadphoneList {
  package var lastUsed: HeadphoneState? {
    filter { $0.lastUsed != nil }.max { a, b in
      a.lastUsed.flatMap { a in b.lastUsed.map { a < $0 } } ?? false
    }
  }
}

extension HeadphoneState {
  fileprivate var isComplete: Bool { !isAdvertisingOnly && !name.isEmpty }
}
