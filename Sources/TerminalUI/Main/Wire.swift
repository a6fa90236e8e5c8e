internal import AudioRoute
internal import BluetoothCodec
internal import Companion
internal import HeadphoneProtocols

/// One of the two links as a wire from this computer to the headphone.
///
/// Each panel begins with its own, in the same columns of the panel, so that one up and one down is
/// seen before it is read.
///
/// ```
/// ♪ ━━━━━ A2DP · LDAC ━━━━▶  ● playing
/// ⌁ ━━━━━ BLE · ▂▄▆█ ━━━━━▶  ● ready
/// ♪ ╌╌╌╌╌╌╌╌╌╌╌✕╌╌╌╌╌╌╌╌╌╌╌  ○ no sound
/// ```
struct Wire {
  /// What it carries.
  var source: String
  var line: Unicode.Scalar
  var role: Role
  /// What runs on it, from the longest form to the shortest.
  var labels: [String] = []
  /// The signal behind the label; nil: none is drawn.
  var signal: SignalStrength?
  /// Whether it ends in the middle.
  var isBroken = false
  /// Whether something moves along it.
  var isMoving = false
  /// One word of state, with a mark that differs by state where there is no colour.
  var mark: String
  var word: String
  var wordRole: Role
}

extension Drawing {
  /// The columns of both wires where the narrower panel's lines have so many.
  func wireColumns(room: Int) -> Int { min(48, max(8, room - 14)) }

  /// Draws a wire over so many columns, and its state behind it.
  mutating func wire(_ wire: Wire, columns: Int, _ pen: inout Cursor) {
    write(wire.source + " ", wire.role, &pen)
    let start = pen.column
    write(wire.line, times: columns - 1, wire.role, &pen)
    if wire.isBroken {
      write(wire.line, times: 1, wire.role, &pen)
      var cross = Cursor(row: pen.row, from: start + columns / 2, to: pen.end)
      write(symbols.routeCross, wire.role, &cross)
    } else {
      write(symbols.routeHead, wire.role, &pen)
    }
    let labelled = label(of: wire, from: start, columns: columns, row: pen.row)
    if wire.isMoving, let frame = style.frame {
      let cells = (0..<columns - 1).filter { !labelled.contains($0) }
      var dot = Cursor(row: pen.row, from: start + cells[frame % cells.count], to: pen.end)
      write(symbols.full, .headline, &dot)
    }
    skip(pen.room > wire.word.columns + 3 ? 2 : 1, &pen)
    write(wire.mark + " " + wire.word, wire.wordRole, &pen)
  }

  /// Writes what runs on the wire into its middle, in the longest form that leaves some of the line.
  ///
  /// - Returns: the cells that it takes, counted from the wire's beginning.
  private mutating func label(
    of wire: Wire, from start: Int, columns: Int, row: Int
  ) -> Range<Int> {
    let bars = wire.signal.map { symbols.steps.count == 8 ? 4 : $0.word.count } ?? 0
    let between = " \(symbols.separator) "
    let forms = wire.labels.map { text in
      let gap = bars > 0 && !text.isEmpty ? between.columns : 0
      return (text: text, columns: text.columns + gap + bars + 2)
    }
    guard let label = forms.first(where: { $0.columns + 3 <= columns }) else { return 0..<0 }
    let first = (columns - 1 - label.columns) / 2
    var pen = Cursor(row: row, from: start + first, to: start + first + label.columns)
    write(" ", .plain, &pen)
    write(label.text, .value, &pen)
    if bars > 0, !label.text.isEmpty { write(between, .muted, &pen) }
    if let signal = wire.signal { signalBars(signal, &pen) }
    write(" ", .plain, &pen)
    return first..<first + label.columns
  }
}

extension RouteState {
  /// The sound's wire.
  func wire(_ symbols: Symbols) -> Wire {
    let profile = profile.map(\.shortText)
    let codec = sink?.bluetooth?.codec.map(codecText)
    let whole = [profile, codec].compactMap(\.self).joined(separator: " \(symbols.separator) ")
    var wire = Wire(
      source: symbols.source, line: symbols.routeLine, role: role,
      labels: [whole, codec ?? "", profile ?? ""].filter { !$0.isEmpty }, mark: mark(symbols),
      word: "", wordRole: role)
    switch self {
    case .connected(let sink, _):
      wire.isMoving = sink.activity == .running
      if !wire.isMoving { wire.line = symbols.routeRest }
      wire.word = wire.isMoving ? "playing" : "silent"
      if self.profile == .handsFree { (wire.word, wire.wordRole) = ("in call", .warning) }
    case .notRouted: wire.word = "elsewhere"
    case .none:
      (wire.line, wire.isBroken, wire.role) = (symbols.routeBreak, true, .linkLost)
      wire.word = "no sound"
    case .unknown:
      wire.line = symbols.routeBreak
      wire.word = "unknown"
    }
    return wire
  }

  /// The colour of the state.
  var role: Role {
    switch self {
    case .connected: .linkReady
    case .notRouted: .linkWorking
    case .none: .linkOff
    case .unknown: .unknownState
    }
  }

  /// A mark that distinguishes the states without colour.
  func mark(_ symbols: Symbols) -> String {
    switch self {
    case .connected: symbols.full
    case .notRouted: symbols.half
    case .none: symbols.empty
    case .unknown: "?"
    }
  }
}

extension AudioProfile {
  /// The profile's own name, for the wire.
  fileprivate var shortText: String {
    switch self {
    case .a2dp: "A2DP"
    case .handsFree: "HFP"
    case .leAudio: "LE Audio"
    case .other(let name): displayable(name)
    }
  }
}

extension HeadphoneState {
  /// The control link's wire.
  func controlWire(_ symbols: Symbols) -> Wire {
    let role = isAdvertisingOnly ? Role.linkOff : link.role
    var wire = Wire(
      source: symbols.control, line: symbols.routeLine, role: role,
      labels: [address.kind == .classic ? "BR/EDR" : "BLE", ""],
      signal: link.isAway ? nil : rssi.map(SignalStrength.init),
      mark: link.mark(symbols), word: stateWord, wordRole: link.role)
    switch role {
    case .linkReady: break
    case .linkWorking: wire.line = symbols.routeRest
    default:
      (wire.line, wire.isBroken, wire.labels) = (symbols.routeBreak, true, [])
      wire.role = isAdvertisingOnly ? role : .linkLost
    }
    return wire
  }

  /// The state of the control link in a word or two.
  var stateWord: String { isAdvertisingOnly ? "nearby" : link.shortText }

  /// Whether ``linkText`` says more than ``stateWord``, and long enough to be read.
  var hasExplanation: Bool { !link.isConnected && linkText != stateWord }
}

extension LinkState {
  /// A short form for the wire and the list.
  fileprivate var shortText: String {
    switch self {
    case .unwanted(.disconnected(.user)): "disconnected"
    case .unwanted(.disconnected): "link lost"
    case .unwanted(.permissionDenied): "not permitted"
    case .unwanted(.unsupported): "not supported"
    case .unwanted(.failed): "failed"
    case .pending(.waitingForBluetooth(let wait), _): wait.shortText
    case .pending(.connecting, _), .connected(.starting, _): "connecting"
    case .connected(.firmwareUpdate, _): "updating"
    case .connected(.factoryReset, _): "resetting"
    case .reconnecting: "reconnecting"
    case .firmwareRestarting: "restarting"
    case .unwanted, .pending, .connected: displayText
    }
  }

  /// Whether the link was lost, so that signal and charge are from before.
  var isAway: Bool {
    switch self {
    case .reconnecting: true
    case .pending(_, .backoff(let failures)): failures > 0
    default: false
    }
  }

  /// How it is to be seen.
  ///
  /// Green for ready, amber for under way, red for lost, and the colour of labels for a link that
  /// is not wanted.
  var role: Role {
    switch self {
    case .connected(.ready, _): .linkReady
    case .unwanted(.disconnected(.user)), .unwanted(.idle), .unwanted(.userCancelled): .linkOff
    case .unwanted, .pending(.waitingForBluetooth(.permission), _),
      .pending(.waitingForBluetooth(.power), _):
      .linkLost
    case .pending, .connected, .reconnecting, .firmwareRestarting: .linkWorking
    }
  }

  /// The same without colour.
  ///
  /// A filled, half or empty dot, or a cross.
  func mark(_ symbols: Symbols) -> String {
    switch role {
    case .linkReady: symbols.full
    case .linkLost: symbols.failed
    case .linkOff: symbols.empty
    default: symbols.half
    }
  }
}

extension AdapterWait {
  fileprivate var shortText: String {
    switch self {
    case .adapter, .power: "no Bluetooth"
    case .permission: "not permitted"
    case .unblocking: "blocked"
    case .turn: "next in turn"
    case .room: "adapter full"
    }
  }
}
