import BluetoothCodec
import HeadphoneProtocols

extension State {
  /// The weakest usable signal in dBm.
  private static let weakest: Int8 = -90

  /// Handles an advertisement: adds new headphones, and connects wanted ones.
  ///
  /// A random private address changes every few minutes. `earlierID` is then the entry of the same
  /// device before it was identified, and that entry is removed.
  ///
  /// | rule | effect for a connectable headphone |
  /// | --- | --- |
  /// | it is wanted, and was out of reach | an attempt at once |
  /// | `matching`, and the name, ID or address is equal | it is selected and connected |
  /// | `matching`, and the selector is part of its name | one second, in which others may appear |
  /// | `lastUsed`, and it is new | the same |
  /// | `never` | none |
  /// | the signal is too weak | none; the finder follows a known one |
  mutating func receive(_ peripheral: DiscoveredHeadphone, at timestamp: Timestamp) -> [Effect] {
    let isNew = headphones[peripheral.id] == nil
    if let rssi = peripheral.rssi, rssi < Self.weakest {
      if screens[.finder] != nil, !isNew { approach(peripheral, rssi, at: timestamp) }
      return []
    }
    // A device that only advertised becomes connectable once its BR/EDR link is up.
    let couldConnect = headphones[peripheral.id].map { !$0.isAdvertisingOnly } ?? false
    let wasNearby = headphones[peripheral.id]?.isNearby == true
    let wasBonded = headphones[peripheral.id]?.bondAddress != nil
    let nameBefore = headphones[peripheral.id]?.name
    if isNew { headphones.insert(HeadphoneState(peripheral)) }
    if screens[.finder] != nil, let rssi = peripheral.rssi {
      approach(peripheral, rssi, at: timestamp)
    } else {
      headphones.update(peripheral.id) { $0.adopt(peripheral, at: timestamp) }
    }
    peripheral.earlierID.map { dropUnknownDevice($0, for: peripheral.id) }
    if let traits = peripheral.traits { note(traits, of: peripheral.id) }
    guard let headphone = headphones[peripheral.id] else { return [] }
    var effects: [Effect] = []
    if isNew {
      effects += note(.info, peripheral.id, "found", at: timestamp)
      effects += discardUnmatchedDevices(for: peripheral.id, at: timestamp)
    }
    // A used headphone will not return to its private address.
    if !wasBonded, headphone.bondAddress != nil, headphone.lastUsed != nil {
      effects += remember(peripheral.id)
    }
    if headphone.link.endsWithSighting {
      effects.append(.cancelTimer(.reconnect(peripheral.id)))
      return effects + seekLink(peripheral.id)
    }
    effects += awaitPresumed(hearing: peripheral.id, wasNearby: wasNearby)
    switch autoConnect {
    case .matching(let selector) where !headphone.isAdvertisingOnly:
      switch headphone.match(selector) {
      case .name, .identifier: return effects + choose(peripheral.id)
      case .words, .beginning, .inside:
        let isKnown = couldConnect && nameBefore == headphone.name
        return effects + (isKnown ? [] : [.startTimer(.settled, .exactly(.seconds(1)))])
      case nil: return effects
      }
    case .lastUsed where !couldConnect && !headphone.isAdvertisingOnly:
      return effects + [.startTimer(.settled, .exactly(.seconds(1)))]
    case .matching, .lastUsed, .never:
      return effects
    }
  }

  private mutating func approach(
    _ peripheral: DiscoveredHeadphone, _ rssi: Int8, at timestamp: Timestamp
  ) {
    headphones.update(peripheral.id) {
      $0.adopt(peripheral, at: timestamp)
      $0.approach.add(rssi)
    }
  }

  private mutating func dropUnknownDevice(_ unknownDevice: HeadphoneID, for id: HeadphoneID) {
    guard headphones[unknownDevice]?.link == .unwanted(.idle) else { return }
    let wasSelected = headphones.selected?.id == unknownDevice
    headphones.remove(unknownDevice)
    if wasSelected { headphones.select(id) }
  }

  /// Connects the only new headphone, or the `nearest`, one second after the last one appeared.
  mutating func connectNewDevice(at timestamp: Timestamp) -> [Effect] {
    var received = headphones.filter { $0.isNearby && !$0.isAdvertisingOnly }
    switch autoConnect {
    case .lastUsed: break
    case .matching(let selector): received = received.named(selector)
    case .never: return []
    }
    let nearest = received.max { ($0.rssi ?? .min) < ($1.rssi ?? .min) }
    guard let nearest else { return [] }
    guard received.count == 1 || autoConnect == .lastUsed(else: .nearest) else {
      autoConnect = .never
      // Arrows and Enter choose at once.
      focus = .headphones
      return say(
        "found \(received.count) headphones: choose one and connect", remedy: .nextHeadphone,
        at: timestamp)
    }
    return choose(nearest.id)
  }
}

extension LinkState {
  /// Whether an advertisement starts an attempt at once.
  ///
  /// A headphone that refuses while it advertises would otherwise be retried endlessly.
  fileprivate var endsWithSighting: Bool {
    switch self {
    case .pending(.scanning, _): true
    case .reconnecting(let retry): retry.after.wasAbsence
    case .unwanted, .pending, .connected, .firmwareRestarting: false
    }
  }
}

extension DisconnectReason {
  /// Whether the headphone was out of reach, as opposed to refusing; it returns after a restart.
  fileprivate var wasAbsence: Bool {
    switch self {
    case .timeout, .connectTimeout, .adapterGone, .bluetoothdGone, .firmwareRestart: true
    default: false
    }
  }
}

extension HeadphoneState {
  init(_ peripheral: DiscoveredHeadphone) {
    self.init(id: peripheral.id, name: peripheral.name ?? "", address: peripheral.address)
  }

  /// Whether the headphone is connected, or has advertised since `time`.
  package func isInRange(since time: Timestamp) -> Bool {
    link.isConnected || received.map { $0.upperBound >= time } == true
  }

  /// Adopts what an advertisement contains, without overriding what a live link reports.
  mutating func adopt(_ peripheral: DiscoveredHeadphone, at timestamp: Timestamp) {
    isNearby = true
    received =
      (received?.lowerBound ?? timestamp)...max(received?.lowerBound ?? timestamp, timestamp)
    address = peripheral.address
    if let bondAddress = peripheral.bondAddress { self.bondAddress = bondAddress }
    // A BR/EDR link reports no signal strength, and the advertisements continue.
    if peripheral.rssi != nil || peripheral.address.kind != .classic { rssi = peripheral.rssi }
    if let name = peripheral.name, !name.isEmpty, !isBeginning(name, peripheral) {
      self.name = name
    }
    if let publicAddress = peripheral.publicAddress { self.publicAddress = publicAddress }
    if let battery = peripheral.battery, !link.isReady {
      self.battery = Reading(battery, seenAt: timestamp)
    }
    isSetMember = isSetMember || peripheral.isSetMember
    // A headphone that had a control link has controls, whatever it advertises now.
    isAudioOnly = peripheral.isAudioOnly && lastUsed == nil && !link.isConnected
    isAdvertisingOnly =
      isAudioOnly || peripheral.reported != nil && peripheral.address.kind != .classic
    if let reported = peripheral.reported, !link.isReady {
      lastPacket = timestamp
      adopt(reported)
      sight(charges: peripheral.battery ?? [:], wearing: reported.wearing, at: timestamp)
    }
  }

  private func isBeginning(_ name: String, _ peripheral: DiscoveredHeadphone) -> Bool {
    peripheral.isNameShortened && self.name.utf8.starts(with: name.utf8)
  }

  private mutating func adopt(_ reported: AdvertisedState) {
    wearing = reported.wearing
    if let isOpen = reported.isCaseOpen { isCaseOpen = isOpen }
    var able = capabilities ?? Capabilities()
    able.batteries = Part.allCases.filter {
      battery?.value[$0] != nil || able.batteries.contains($0)
    }
    able.hasCase = able.batteries.contains(.case)
    capabilities = able
    driver = "proximity advertisements"
  }
}
