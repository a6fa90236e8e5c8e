import Headphones

/// What is heard on the air of a headphone, and what follows from that for its link.
extension State {
  mutating func hear(_ sighting: HeadphoneSighting, at moment: Moment) -> [Effect] {
    let isNew = headphones[sighting.id] == nil
    // One that only advertised until now has a link since its audio side is there.
    let couldConnect = headphones[sighting.id].map { !$0.isHeardOnly } ?? false
    if isNew { headphones.insert(HeadphoneState(sighting)) }
    headphones.update(sighting.id) { $0.adopt(sighting, at: moment) }
    sighting.earlierID.map { dropStranger($0, for: sighting.id) }
    guard let headphone = headphones[sighting.id] else { return [] }
    var effects: [Effect] = []
    if isNew {
      effects += note(.info, sighting.id, "is nearby", at: moment)
      effects += overlookPassersBy(for: sighting.id, at: moment)
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

  /// What was heard as another headphone is this one; a link with it finds that out by itself.
  private mutating func dropStranger(_ stranger: HeadphoneID, for id: HeadphoneID) {
    guard headphones[stranger]?.link == .idle else { return }
    let wasSelected = headphones.selected?.id == stranger
    headphones.remove(stranger)
    if wasSelected { headphones.select(id) }
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

extension LinkState {
  /// Hearing the headphone is a reason to try at once.
  ///
  /// Not after a refusal: a headphone that refuses while it advertises would be tried without end.
  fileprivate var endsWithSighting: Bool {
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
