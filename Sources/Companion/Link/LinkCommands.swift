extension UserCommand {
  static let linkCommands = [
    connectOrDisconnect, dropControlLink, scan, pair, forget, refresh, previousHeadphone,
    nextHeadphone,
  ]

  package static let connectOrDisconnect = UserCommand(
    "connect", keys: ["c"], "connect, cancel or disconnect", hint: 75,
    isUrgent: { $0.headphones.selected?.link.isReady == false },
    currentLabel: { state in
      switch state.headphones.selected?.link {
      case .some(let link) where link.isBusy: "Cancel"
      case .some(let link) where link.isConnected: "Disconnect"
      default: "Connect"
      }
    }, shell: "connect it: earshot connect NAME", availability: \.canConnect
  ) { $0.connectOrDisconnect(at: $1) }
  package static let dropControlLink = UserCommand(
    "drop-control", keys: ["d"], "disconnect controls only; audio stays", label: "Drop",
    availability: { $0.headphones.selected?.link.isWanted == true ? .available : $0.notConnected }
  ) { $0.dropControlLink(at: $1) }
  package static let scan = UserCommand(
    "scan", keys: ["s"], "scan for headphones, or stop", hint: 80,
    isHinted: { $0.adapter != .absent }, isUrgent: { $0.headphones.isEmpty },
    currentLabel: { $0.scan == .scanning ? "Stop scan" : "Scan" },
    shell: "look for headphones: earshot scan"
  ) { $0.scanOrStop(at: $1) }
  package static let refresh = UserCommand(
    "refresh", keys: ["r"], "read all values again", hint: 180, label: "Refresh",
    availability: { $0.readyHeadphone == nil ? $0.notConnected : .available }
  ) { $0.refresh(at: $1) }
  package static let previousHeadphone = UserCommand(
    "previous-headphone", keys: ["["], "previous headphone", label: "Previous"
  ) { state, _ in state.select(by: -1) }
  package static let nextHeadphone = UserCommand(
    "next-headphone", keys: ["]"], "next headphone", label: "Next"
  ) { state, _ in state.select(by: 1) }
}

extension State {
  /// Starts or stops scanning, or switches the adapter on, after which a scan starts.
  fileprivate mutating func scanOrStop(at timestamp: Timestamp) -> [Effect] {
    if scan == .scanning { return [.stopScan] }
    switch adapter {
    case .ready, .unknown: return [.startScan]
    // The scan starts automatically once the adapter is on.
    case .off: return say("switching Bluetooth on", at: timestamp) + [.setPower(true)]
    case .absent, .blocked, .denied:
      // The adapter may be usable by now, and scanning examines it again.
      return explain("\(adapter.displayText): \(adapter.advice)", at: timestamp) + [.startScan]
    }
  }

  mutating func connectSelected(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return noteNotConnected(at: timestamp) }
    return headphone.canConnect ? connectOrDisconnect(at: timestamp) : []
  }

  /// Connects, cancels or disconnects the control link, not the sound; automatic connection ends.
  mutating func connectOrDisconnect(at timestamp: Timestamp) -> [Effect] {
    guard canConnect == .available, let headphone = headphones.selected else {
      return explain(canConnect, at: timestamp)
    }
    autoConnect = .never
    return headphone.link.isBusy || headphone.link.isConnected
      ? giveUpLink(headphone.id, at: timestamp) : wantLink(headphone.id, isUrgent: true)
  }

  fileprivate mutating func dropControlLink(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, headphone.link.isWanted else { return [] }
    return giveUpLink(headphone.id, at: timestamp)
  }

  fileprivate var canConnect: Availability {
    guard let headphone = headphones.selected else { return notConnected }
    return headphone.isAdvertisingOnly ? .notConnectable(headphone) : .available
  }

  mutating func refresh(at timestamp: Timestamp) -> [Effect] {
    guard let id = readyHeadphone?.id else { return [] }
    return [.refresh(id)] + say("reading all values again", id, at: timestamp)
  }

  fileprivate mutating func select(by step: Int) -> [Effect] {
    neighbour(by: step).map { select($0) } ?? []
  }

  /// Selects a headphone by hand, and closes the equaliser of the previous one.
  mutating func select(_ id: HeadphoneID) -> [Effect] {
    guard headphones[id] != nil else { return [] }
    headphones.select(id)
    if !isClient { commandChoice = nil }
    keepsSelection = true
    if case .equaliser = page { page = .main }
    return []
  }
}
