import Bluetooth
import HeadphoneProtocols

extension State {
  /// The start: known headphones enter the list, and the rule for connecting chooses one of them.
  ///
  /// `lastUsed` takes the one with the newest ``HeadphoneState/lastUsed``; where there is none, the
  /// rule still applies to the first that advertises.
  ///
  /// - Parameters:
  ///   - known: The headphones of the file, in its order.
  ///   - rule: The rule of the command line or the configuration.
  ///   - scans: Whether a scan begins by itself as soon as the adapter is on.
  mutating func launch(
    _ known: [KnownHeadphone], _ rule: AutoConnect, scans: Bool
  ) -> [Effect] {
    scansByItself = scans
    for headphone in known { headphones.insert(HeadphoneState(headphone)) }
    autoConnect = rule
    let chosen =
      switch rule {
      case .never: HeadphoneState?.none
      case .matching(let selector): headphones.named(selector).only
      case .lastUsed:
        headphones.filter { $0.lastUsed != nil }.max { a, b in
          a.lastUsed.flatMap { a in b.lastUsed.map { a < $0 } } ?? false
        }
      }
    return chosen.map { choose($0.id) } ?? []
  }

  /// Connects one automatically, and no other after it.
  ///
  /// It is selected, unless the selection was moved by hand: keys then go where they went before.
  ///
  /// A link that fails is retried like one that the user asked for.
  mutating func choose(_ id: HeadphoneID) -> [Effect] {
    autoConnect = .never
    if !keepsSelection { headphones.select(id) }
    return wantLink(id)
  }

  /// The adapter's new state: wanted links wait for an adapter that is gone, and begin again when
  /// it is back.
  ///
  /// A scan begins when the adapter becomes ready, unless scanning by itself is off. Links that are
  /// up report their own end with its reason, so they are left alone here.
  mutating func adopt(_ adapter: AdapterState, at timestamp: Timestamp) -> [Effect] {
    guard adapter != self.adapter else { return [] }
    let before = self.adapter
    self.adapter = adapter
    var effects = note(.info, nil, adapter.displayText, at: timestamp)
    guard case .ready = adapter else {
      scan = .idle
      linkLimit = nil
      // Connected ones report the end of their link themselves.
      for headphone in headphones where headphone.link.isWanted && !headphone.link.isConnected {
        effects += headphone.link.endings(of: headphone.id)
        headphones.update(headphone.id) { $0.seek(.waitingForBluetooth(adapter.wait)) }
      }
      return effects
    }
    for headphone in headphones {
      guard case .waitingForBluetooth(let wait)? = headphone.link.attempt, wait.isForAdapter else {
        continue
      }
      effects += seekLink(headphone.id)
    }
    if case .ready = before { return effects }
    return effects.contains(.startScan) || !scansByItself ? effects : effects + [.startScan]
  }

  /// A step of a scan; a scan that ends gives up the attempts that waited for an advertisement.
  ///
  /// A scan that is denied keeps the missing capability in the state, so that the screen can say
  /// which.
  mutating func follow(_ event: ScanEvent, at timestamp: Timestamp) -> [Effect] {
    switch event {
    case .started:
      scan = .scanning
      if problem?.remedy == .scan { problem = nil }
      guard case .ready = adapter else { return [] }
      return note(.info, nil, "scanning…", at: timestamp)
    case .ended:
      scan = .idle
      let effects = pauseUnheardUpdates(after: .connectTimeout)
      guard case .ready = adapter else { return effects }
      let count = headphones.count(where: \.isNearby)
      return effects
        + note(
          .info, nil, "scan ended, \(count == 1 ? "1 headphone" : "\(count) headphones") nearby",
          at: timestamp)
    case .denied(let capability, let isBluetoothdGone):
      scan = .denied(capability: capability, isBluetoothdGone: isBluetoothdGone)
      for headphone in headphones where headphone.link.attempt == .scanning {
        headphones.update(headphone.id) {
          $0.seek(.waitingForBluetooth(.permission(capability: capability)))
        }
      }
      if isBluetoothdGone {
        let error = RadioError.noBluetoothd(operation: "scanning", capability: capability)
        return complain(
          "\(error)", advice: error.advice + "; the scan then continues by itself", remedy: .scan,
          at: timestamp)
      }
      return note(
        .warning, nil,
        "scanning needs \(capability); known headphones can be connected without it",
        at: timestamp)
    case .failed(let error):
      scan = .failed(error)
      return pauseUnheardUpdates(after: .system("\(error)"))
        + complain("scanning failed: \(error)", advice: error.advice, remedy: .scan, at: timestamp)
    }
  }

  /// bluetoothd runs again: a scan that failed or was denied starts again.
  mutating func scanAgain() -> [Effect] {
    guard case .ready = adapter else { return [] }
    switch scan {
    case .denied, .failed: break
    case .idle, .scanning: return []
    }
    scan = .idle
    var effects: [Effect] = []
    for headphone in headphones {
      guard case .waitingForBluetooth(.permission)? = headphone.link.attempt else { continue }
      effects += seekLink(headphone.id)
    }
    return effects.contains(.startScan) ? effects : effects + [.startScan]
  }

  /// Headphones that were scanned for and did not advertise: each waits for its next attempt.
  private mutating func pauseUnheardUpdates(after reason: DisconnectReason) -> [Effect] {
    headphones.filter { $0.link.attempt == .scanning }.flatMap { pause($0.id, after: reason) }
  }
}

extension AdapterState {
  /// What a wanted link waits for while the adapter is in this state.
  var wait: AdapterWait {
    switch self {
    case .unknown, .absent, .ready: .adapter
    case .off: .power
    case .blocked: .unblocking
    case .denied(let capability): .permission(capability: capability)
    }
  }
}

extension LinkState {
  /// What ends an attempt or the pause before it.
  fileprivate func endings(of id: HeadphoneID) -> [Effect] {
    switch self {
    case .reconnecting: [.cancelTimer(.reconnect(id))]
    case .firmwareRestarting: [.cancelTimer(.reconnect(id)), .disconnect(id)]
    case .pending(.connecting, _): [.disconnect(id)]
    case .unwanted, .pending, .connected: []
    }
  }
}
