internal import AudioRoute
internal import BluetoothCodec
internal import Companion
internal import HeadphoneProtocols

/// The sound link or the control link, drawn as a wire from this computer to the headphone.
///
/// ```
/// ♪ ━━━━━ A2DP · LDAC ━━━━▶  ● playing
/// ⌁ ━━━━━ BLE · ▂▄▆█ ━━━━━▶  ● ready
/// ♪ ╌╌╌╌╌╌╌╌╌╌╌✕╌╌╌╌╌╌╌╌╌╌╌  ○ no sound
/// ```
///
/// Sound that plays elsewhere bends to its output:
///
/// ```
/// ♪ ━━━━╮ ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▶  ◐ elsewhere
///       ╰━▶ Speakers
/// ```
struct Wire {
  var source: String
  var line: Unicode.Scalar
  var role: Role
  /// The text of the transfer, from the longest form to the shortest.
  var labels: [String] = []
  var signal: SignalStrength?
  var isBroken = false
  var isMoving = false
  /// Whether the sound leaves the wire for another output, named below.
  var isBent = false
  var mark: String
  var word: String
  var wordRole: Role
}

extension Drawing {
  func wireColumns(room: Int) -> Int { min(48, max(8, room - 14)) }

  mutating func wire(_ wire: Wire, columns: Int, _ pen: inout Cursor) {
    guard !symbols.areWords else { return words(of: wire, &pen) }
    write(wire.source + " ", wire.role, &pen)
    let end = pen.column + columns
    if wire.isBent {
      write(symbols.routeLine, times: bend(columns), .linkReady, &pen)
      write(symbols.topRight, times: 1, .linkReady, &pen)
      skip(1, &pen)
    }
    let start = pen.column
    let length = end - start
    write(wire.line, times: length - 1, wire.role, &pen)
    if wire.isBroken {
      write(wire.line, times: 1, wire.role, &pen)
      var cross = Cursor(row: pen.row, from: start + length / 2, to: pen.end)
      write(symbols.routeCross, wire.role, &cross)
    } else {
      write(symbols.routeHead, wire.role, &pen)
    }
    let labelled = wire.isBent ? 0..<0 : label(of: wire, from: start, columns: length, row: pen.row)
    if wire.isMoving, let frame = style.frame {
      let cells = (0..<length - 1).filter { !labelled.contains($0) }
      var dot = Cursor(row: pen.row, from: start + cells[frame % cells.count], to: pen.end)
      write(symbols.full, .headline, &dot)
    }
    skip(pen.room > wire.word.columns + 3 ? 2 : 1, &pen)
    write(wire.mark + " " + wire.word, wire.wordRole, &pen)
  }

  mutating func branch(to output: String, columns: Int, _ pen: inout Cursor) {
    if symbols.areWords { return write("It plays on \(output)", .value, &pen) }
    skip(symbols.source.columns + 1 + bend(columns), &pen)
    write(symbols.bottomLeft, times: 1, .linkReady, &pen)
    write(symbols.routeLine, times: 1, .linkReady, &pen)
    write(symbols.routeHead + " ", .linkReady, &pen)
    write(output, .value, &pen)
  }

  private func bend(_ columns: Int) -> Int { max(2, columns / 4) }

  /// Writes "Sound: playing, A2DP, LDAC" or "Controls: ready, BLE, signal strong".
  private mutating func words(of wire: Wire, _ pen: inout Cursor) {
    let parts = [wire.word] + wire.labels.prefix(1).filter { !$0.isEmpty }
    let signal = wire.signal.map { ["signal \($0.word)"] } ?? []
    write(wire.source + ": ", .label, &pen)
    write((parts + signal).joined(separator: ", "), wire.wordRole, &pen)
  }

  /// Writes the longest label that leaves some of the line, and returns its cells.
  private mutating func label(
    of wire: Wire, from start: Int, columns: Int, row: Int
  ) -> Range<Int> {
    let bars = wire.signal.map { symbols.steps.count == 8 ? 4 : $0.word.count } ?? 0
    let between = symbols.between
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
  func wire(_ symbols: Symbols) -> Wire {
    let profile = profile.map(\.shortText)
    let codec = sink?.bluetooth?.codec.map(codecText)
    let whole = [profile, codec].compactMap(\.self).joined(separator: symbols.between)
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
    case .notRouted:
      wire.word = "elsewhere"
      if elsewhere != nil { (wire.isBent, wire.line) = (true, symbols.routeBreak) }
    case .none:
      (wire.line, wire.isBroken, wire.role) = (symbols.routeBreak, true, .linkLost)
      wire.word = "no sound"
      wire.isBent = elsewhere != nil
    case .unknown:
      wire.line = symbols.routeBreak
      wire.word = "unknown"
    }
    return wire
  }

  var role: Role {
    switch self {
    case .connected: .linkReady
    case .notRouted: .linkWorking
    case .none: .linkOff
    case .unknown: .unknownState
    }
  }

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

  var stateWord: String { isAdvertisingOnly ? "nearby" : link.shortText }

  var hasExplanation: Bool { !link.isConnected && linkText != stateWord }
}

extension LinkState {
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

  var isAway: Bool {
    switch self {
    case .reconnecting: true
    case .pending(_, .backoff(let failures)): failures > 0
    default: false
    }
  }

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
