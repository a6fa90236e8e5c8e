import Headphones

extension State {
  mutating func launch(_ known: [KnownHeadphone], _ rule: AutoConnect) -> [Effect] {
    for headphone in known { headphones.insert(HeadphoneState(headphone)) }
    autoConnect = rule
    let chosen =
      switch rule {
      case .never: HeadphoneState?.none
      case .matching(let selector): headphones.first { $0.matches(selector) }
      case .lastUsed:
        headphones.filter { $0.lastUsed != nil }.max { a, b in
          a.lastUsed.flatMap { a in b.lastUsed.map { a < $0 } } ?? false
        }
      }
    return chosen.map { choose($0.id) } ?? []
  }

  /// Connects one without being asked for, and no other after it.
  private mutating func choose(_ id: HeadphoneID) -> [Effect] {
    autoConnect = .never
    headphones.select(id)
    return wantLink(id)
  }

  mutating func adopt(_ adapter: AdapterState, at moment: Moment) -> [Effect] {
    guard adapter != self.adapter else { return [] }
    let before = self.adapter
    self.adapter = adapter
    var effects = note(.info, nil, adapter.words, at: moment)
    guard case .ready = adapter else {
      scan = .idle
      linkLimit = nil
      // Those that are connected tell themselves that their link ends.
      for headphone in headphones where headphone.isWanted && !headphone.link.isConnected {
        effects += headphone.link.endings(of: headphone.id)
        headphones.update(headphone.id) { $0.link = adapter.waiting }
      }
      return effects
    }
    for headphone in headphones where headphone.isWanted && headphone.link.waitsForAdapter {
      effects += seekLink(headphone.id)
    }
    if case .ready = before { return effects }
    return effects.contains(.startScan) ? effects : effects + [.startScan]
  }

  mutating func follow(_ event: ScanEvent, at moment: Moment) -> [Effect] {
    switch event {
    case .started:
      scan = .scanning
      guard case .ready = adapter else { return [] }
      return note(.info, nil, "looking for headphones", at: moment)
    case .ended:
      scan = .idle
      let effects = pauseThoseNotHeard(after: .connectTimeout)
      guard case .ready = adapter else { return effects }
      let count = headphones.count(where: \.isHeard)
      return effects
        + note(
          .info, nil, count == 1 ? "1 headphone heard" : "\(count) headphones heard", at: moment)
    case .denied(let capability):
      scan = .denied(capability: capability)
      for headphone in headphones where headphone.link == .scanning {
        headphones.update(headphone.id) { $0.link = .permissionDenied(capability: capability) }
      }
      return note(
        .warning, nil,
        "looking for headphones needs \(capability); known ones can be connected all the same",
        at: moment)
    case .failed(let what):
      scan = .failed(what)
      return pauseThoseNotHeard(after: .system(what))
        + complain(
          "looking for headphones failed: \(what)", advice: "try again", remedy: .scan, at: moment)
    }
  }

  private mutating func pauseThoseNotHeard(after reason: DisconnectReason) -> [Effect] {
    headphones.filter { $0.link == .scanning }.flatMap { pause($0.id, after: reason) }
  }

  mutating func hear(_ sighting: HeadphoneSighting, at moment: Moment) -> [Effect] {
    let isNew = headphones[sighting.id] == nil
    // One that only advertised until now has a link since its audio side is there.
    let couldConnect = headphones[sighting.id].map { !$0.isHeardOnly } ?? false
    if isNew { headphones.insert(HeadphoneState(sighting)) }
    headphones.update(sighting.id) { $0.adopt(sighting, at: moment) }
    guard let headphone = headphones[sighting.id] else { return [] }
    var effects: [Effect] = []
    if isNew {
      effects += note(.info, sighting.id, "is nearby", at: moment)
    }
    if headphone.isWanted, headphone.link.endsWithSighting {
      effects.append(.cancelTimer(.reconnect(sighting.id)))
      return effects + seekLink(sighting.id)
    }
    switch autoConnect {
    case .matching(let selector) where headphone.matches(selector) && !headphone.isHeardOnly:
      return effects + choose(sighting.id)
    case .lastUsed where !couldConnect && !headphone.isHeardOnly:
      return effects + [.startTimer(.settled, .exactly(.seconds(1)))]
    case .matching, .lastUsed, .never:
      return effects
    }
  }

  mutating func connectNewcomer(at moment: Moment) -> [Effect] {
    guard case .lastUsed(let newcomer) = autoConnect else { return [] }
    let heard = headphones.filter { $0.isHeard && !$0.isHeardOnly }
    let nearest = heard.max { ($0.rssi ?? .min) < ($1.rssi ?? .min) }
    guard let nearest else { return [] }
    guard heard.count == 1 || newcomer == .nearest else {
      autoConnect = .never
      return say(
        "\(heard.count) headphones heard: choose one and connect", remedy: .nextHeadphone,
        at: moment)
    }
    return choose(nearest.id)
  }
}

extension AdapterState {
  /// Where a wanted link waits while the adapter is in this state.
  var waiting: LinkState {
    switch self {
    case .unknown, .absent, .ready: .waitingForBluetooth(.adapter)
    case .off: .bluetoothOff
    case .blocked: .waitingForBluetooth(.unblocking)
    case .denied(let capability): .permissionDenied(capability: capability)
    }
  }
}

extension LinkState {
  var waitsForAdapter: Bool {
    switch self {
    case .waitingForBluetooth(.adapter), .waitingForBluetooth(.unblocking), .bluetoothOff,
      .permissionDenied:
      true
    default: false
    }
  }

  /// What ends the wish for a link in this state, where the link itself does not.
  fileprivate func endings(of id: HeadphoneID) -> [Effect] {
    switch self {
    case .reconnecting: [.cancelTimer(.reconnect(id))]
    case .firmwareRestarting: [.cancelTimer(.reconnect(id)), .disconnect(id)]
    case .connecting: [.disconnect(id)]
    default: []
    }
  }

  /// Hearing the headphone is a reason to try at once.
  ///
  /// Not after a refusal: a headphone that refuses while it advertises would be tried without end.
  var endsWithSighting: Bool {
    switch self {
    case .scanning: true
    case .reconnecting(let retry): retry.after.wasAbsence
    default: false
    }
  }
}

extension DisconnectReason {
  fileprivate var wasAbsence: Bool {
    switch self {
    case .timeout, .connectTimeout, .adapterGone, .firmwareRestart: true
    default: false
    }
  }
}

extension HeadphoneState {
  /// A headphone of an earlier run, of which nothing new is known.
  public init(_ known: KnownHeadphone) {
    self.init(
      id: known.id, name: known.name, address: known.address, publicAddress: known.publicAddress)
    bondAddress = known.bondAddress
    serial = known.serial
    lastUsed = known.lastUsed
    soundPin = known.soundPin
    setKey = known.setKey
  }

  init(_ sighting: HeadphoneSighting) {
    self.init(id: sighting.id, name: sighting.name ?? "", address: sighting.address)
  }

  mutating func adopt(_ sighting: HeadphoneSighting, at moment: Moment) {
    isHeard = true
    heard = (heard?.lowerBound ?? moment)...max(heard?.lowerBound ?? moment, moment)
    address = sighting.address
    if let bondAddress = sighting.bondAddress { self.bondAddress = bondAddress }
    // A link of BR/EDR tells no strength, and the advertisements go on.
    if sighting.rssi != nil || sighting.address.kind != .classic { rssi = sighting.rssi }
    if let name = sighting.name, !name.isEmpty { self.name = name }
    if let publicAddress = sighting.publicAddress { self.publicAddress = publicAddress }
    // A live link knows better than an advertisement.
    if let battery = sighting.battery, !link.isReady {
      self.battery = Reading(battery, heardAt: moment)
    }
    isHeardOnly = sighting.told != nil && sighting.address.kind != .classic
    if let told = sighting.told, !link.isReady {
      lastPacket = moment
      adopt(told)
    }
  }

  /// As long as there is no link, what it tells is all that it has.
  private mutating func adopt(_ told: AdvertisedState) {
    wearing = told.wearing
    if let isOpen = told.isCaseOpen { isCaseOpen = isOpen }
    var able = capabilities ?? Capabilities()
    able.batteries = Part.allCases.filter {
      battery?.value[$0] != nil || able.batteries.contains($0)
    }
    able.hasCase = able.batteries.contains(.case)
    capabilities = able
    driver = "proximity advertisements"
  }
}
