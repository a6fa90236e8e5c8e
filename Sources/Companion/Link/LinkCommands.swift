extension UserCommand {
  /// Commands about scan, pairing, link and selection.
  static let linkCommands = [
    connectOrDisconnect, dropControlLink, scan, pair, forget, refresh, previousHeadphone,
    nextHeadphone,
  ]

  /// Connects, cancels an attempt, or disconnects, as the link is now.
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
  /// Ends the control link only; the sound stays.
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
  /// Reads all values again.
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
  /// `s`: starts or stops scanning; with the adapter off, switches it on, and the scan follows by
  /// itself.
  ///
  /// An adapter that is absent, blocked or denied is tried all the same, because it may be usable
  /// by now.
  fileprivate mutating func scanOrStop(at timestamp: Timestamp) -> [Effect] {
    if scan == .scanning { return [.stopScan] }
    switch adapter {
    case .ready, .unknown: return [.startScan]
    // When it is on the scan begins by itself.
    case .off: return say("switching Bluetooth on", at: timestamp) + [.setPower(true)]
    case .absent, .blocked, .denied:
      // It may be usable by now: scanning examines it again.
      return explain("\(adapter.displayText): \(adapter.advice)", at: timestamp) + [.startScan]
    }
  }

  /// Enter in the list of headphones: connects the selected one; ends no link.
  mutating func connectSelected(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return noteNotConnected(at: timestamp) }
    return headphone.canConnect ? connectOrDisconnect(at: timestamp) : []
  }

  /// `c`: one key for both directions; whatever is under way is cancelled.
  ///
  /// From now on nothing is connected automatically.
  ///
  /// Disconnecting ends the control link alone; the sound stays.
  mutating func connectOrDisconnect(at timestamp: Timestamp) -> [Effect] {
    guard canConnect == .available, let headphone = headphones.selected else {
      return explain(canConnect, at: timestamp)
    }
    autoConnect = .never
    return headphone.link.isBusy || headphone.link.isConnected
      ? giveUpLink(headphone.id, at: timestamp) : wantLink(headphone.id, isUrgent: true)
  }

  /// Ends the control link.
  ///
  /// The sound, which has a link of its own, is left alone.
  fileprivate mutating func dropControlLink(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, headphone.link.isWanted else { return [] }
    return giveUpLink(headphone.id, at: timestamp)
  }

  /// Whether the selected headphone has a link to make or to end.
  fileprivate var canConnect: Availability {
    guard let headphone = headphones.selected else { return notConnected }
    return headphone.isAdvertisingOnly ? .notConnectable(headphone) : .available
  }

  /// Reads all values of the headphone again.
  fileprivate mutating func refresh(at timestamp: Timestamp) -> [Effect] {
    guard let id = readyHeadphone?.id else { return [] }
    return [.refresh(id)] + say("reading all values again", id, at: timestamp)
  }

  /// `[` and `]`: the headphone before or after, round the ends.
  fileprivate mutating func select(by step: Int) -> [Effect] {
    headphones.neighbour(by: step).map { select($0.id) } ?? []
  }

  /// Selection by hand: `j` `k`, `[` `]`, the search, the wheel and a click all end here.
  ///
  /// An open equaliser is closed, since it belongs to the headphone before.
  mutating func select(_ id: HeadphoneID) -> [Effect] {
    guard headphones[id] != nil else { return [] }
    headphones.select(id)
    keepsSelection = true
    if case .equaliser = page { page = .main }
    return []
  }
}
