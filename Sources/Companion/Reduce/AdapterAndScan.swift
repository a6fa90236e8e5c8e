import Headphones

extension State {
  mutating func launch(
    _ known: [KnownHeadphone], _ rule: AutoConnect, scans: Bool
  ) -> [Effect] {
    scansByItself = scans
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
  mutating func choose(_ id: HeadphoneID) -> [Effect] {
    autoConnect = .never
    headphones.select(id)
    return wantLink(id)
  }

  mutating func adopt(_ adapter: AdapterState, at timestamp: Timestamp) -> [Effect] {
    guard adapter != self.adapter else { return [] }
    let before = self.adapter
    self.adapter = adapter
    var effects = note(.info, nil, adapter.displayText, at: timestamp)
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
    return effects.contains(.startScan) || !scansByItself ? effects : effects + [.startScan]
  }

  mutating func follow(_ event: ScanEvent, at timestamp: Timestamp) -> [Effect] {
    switch event {
    case .started:
      scan = .scanning
      guard case .ready = adapter else { return [] }
      return note(.info, nil, "looking for headphones", at: timestamp)
    case .ended:
      scan = .idle
      let effects = pauseUnheardUpdates(after: .connectTimeout)
      guard case .ready = adapter else { return effects }
      let count = headphones.count(where: \.isNearby)
      return effects
        + note(
          .info, nil, count == 1 ? "1 headphone heard" : "\(count) headphones heard", at: timestamp)
    case .denied(let capability):
      scan = .denied(capability: capability)
      for headphone in headphones where headphone.link == .scanning {
        headphones.update(headphone.id) { $0.link = .permissionDenied(capability: capability) }
      }
      return note(
        .warning, nil,
        "looking for headphones needs \(capability); known ones can be connected all the same",
        at: timestamp)
    case .failed(let what):
      scan = .failed(what)
      return pauseUnheardUpdates(after: .system(what))
        + complain(
          "looking for headphones failed: \(what)", advice: "try again", remedy: .scan,
          at: timestamp)
    }
  }

  private mutating func pauseUnheardUpdates(after reason: DisconnectReason) -> [Effect] {
    headphones.filter { $0.link == .scanning }.flatMap { pause($0.id, after: reason) }
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
}
