import BluetoothRadio
import HeadphoneProtocols

extension State {
  /// Adds the headphones of the file, and chooses one by the rule for connecting.
  ///
  /// `lastUsed` chooses the one with the newest ``HeadphoneState/lastUsed``. Without one, the rule
  /// applies to the first that advertises.
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
    if case .lastUsed = rule,
      headphones.contains(where: { $0.lastUsed != nil && $0.id != chosen?.id })
    {
      presumed = chosen?.id
    }
    return chosen.map { choose($0.id) } ?? []
  }

  /// Connects a headphone automatically, and no other after it.
  ///
  /// It is selected unless the user has moved the selection, so that keys keep their target. A
  /// failed link is retried as if the user had requested it.
  mutating func choose(_ id: HeadphoneID) -> [Effect] {
    autoConnect = .never
    if !keepsSelection { headphones.select(id) }
    return wantLink(id)
  }

  /// Adopts the adapter's state: wanted links wait while it is gone, and restart when it is back.
  ///
  /// A scan starts when the adapter becomes ready, unless automatic scans are off.
  mutating func adopt(_ adapter: AdapterState, at timestamp: Timestamp) -> [Effect] {
    guard adapter != self.adapter else { return [] }
    let before = self.adapter
    self.adapter = adapter
    var effects = note(.info, nil, adapter.displayText, at: timestamp)
    guard case .ready = adapter else {
      scan = .idle
      linkLimit = nil
      // Connected ones report the end of their link with its reason.
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

  /// Handles an event of a scan; its end cancels attempts that wait for an advertisement.
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
          "\(error)", advice: error.advice + "; the scan then continues", remedy: .scan,
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

  /// Restarts a scan that failed or was denied, now that bluetoothd runs again.
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

  private mutating func pauseUnheardUpdates(after reason: DisconnectReason) -> [Effect] {
    headphones.filter { $0.link.attempt == .scanning }.flatMap { pause($0.id, after: reason) }
  }
}

extension AdapterState {
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
  fileprivate func endings(of id: HeadphoneID) -> [Effect] {
    switch self {
    case .reconnecting: [.cancelTimer(.reconnect(id))]
    case .firmwareRestarting: [.cancelTimer(.reconnect(id)), .disconnect(id)]
    case .pending(.connecting, _): [.disconnect(id)]
    case .unwanted, .pending, .connected: []
    }
  }
}
