internal import AudioRoute
internal import Companion

enum AudioLine: Hashable, Sendable {
  case wire
  case branch
  case explanation(Int)
  /// An empty row, numbered so that lines differ.
  case space(Int)
  case playing
  case volume, offset, microphone
  case output(String)

  init(_ row: AudioRow) {
    switch row {
    case .volume: self = .volume
    case .offset: self = .offset
    case .output(let name): self = .output(name)
    }
  }
}

extension AudioLine: PanelLine {
  var importance: Importance {
    switch self {
    case .space: .space
    case .output: .others
    case .branch, .explanation: .explanation
    case .playing, .offset, .microphone: .detail
    case .volume: .choice
    case .wire: .state
    }
  }
}

struct AudioLines {
  private(set) var shown: [AudioLine]
  /// The outputs above and below those that are in sight.
  private(set) var above = 0, below = 0

  init(_ state: State, explanationRows: Int, rows: Int) {
    let cursor = AudioLine(state.audioCursor)
    let head = state.audioHead(explanationRows: explanationRows)
    let outputs = state.audioRows.map(AudioLine.init).filter { $0.importance == .others }
    let tail = state.audioTail
    let all = head + outputs + tail
    let spaces = all.count { $0.importance == .space }
    guard all.count - spaces > rows else {
      shown = all.fitting(rows: rows, keeping: cursor)
      return
    }
    // The outputs scroll with the cursor.
    let isRoomy = rows >= head.count + tail.count + Self.roomyOutputs
    let fixed = [head, tail].map { lines in
      isRoomy ? lines : lines.filter { $0.importance != .space }
    }
    let place = outputs.firstIndex(of: cursor)
    let room = rows - fixed[0].count - fixed[1].count
    guard room > 0 else {
      let chosen = place.map { [outputs[$0]] } ?? []
      shown = (fixed[0] + chosen + fixed[1]).fitting(rows: rows, keeping: cursor)
      return
    }
    let first = min(max(0, (place ?? 0) - room / 2), outputs.count - room)
    shown = fixed[0] + outputs[first..<first + room] + fixed[1]
    above = first
    below = outputs.count - first - room
  }

  private static let roomyOutputs = 4
}

extension State {
  fileprivate func audioHead(explanationRows: Int) -> [AudioLine] {
    let isElsewhere = headphones.selected.map(route(of:))?.elsewhere != nil
    var lines: [AudioLine] = [.wire, isElsewhere ? .branch : .space(0)]
    lines += (0..<explanationRows).map(AudioLine.explanation)
    if explanationRows > 0 { lines.append(.space(1)) }
    if volumeOutput != nil { lines.append(.volume) }
    return lines
  }

  fileprivate var audioTail: [AudioLine] {
    guard case .running(let sound) = audio else { return [] }
    var lines: [AudioLine] = []
    if offsetText != nil { lines.append(.offset) }
    if !sound.sources.isEmpty { lines.append(.microphone) }
    if nowPlaying != nil { lines.append(.playing) }
    return (lines.isEmpty ? [] : [.space(2)]) + lines
  }
}

extension RouteState {
  var elsewhere: AudioSink? {
    switch self {
    case .notRouted(_, let sink), .none(let sink): sink
    case .connected, .unknown: nil
    }
  }

  func commands(canBringSound: Bool) -> [UserCommand] {
    switch self {
    case .connected(_, let match):
      match.card == nil ? [.toggleMute] : [.toggleMute, .switchProfile, .microphone]
    case .notRouted: [.routeSound, .toggleMute]
    case .none(let elsewhere):
      (canBringSound ? [.routeSound] : []) + (elsewhere == nil ? [] : [.toggleMute])
    case .unknown: []
    }
  }
}

extension AudioUnavailable {
  var explanation: String {
    switch self {
    case .notStarted: "The sound server has not answered yet."
    case .noServer: "Neither PipeWire nor PulseAudio runs for this user."
    case .serverEnded: "Earshot reconnects when it is back."
    case .accessDenied: "The sound server belongs to another user. Run earshot as that user."
    case .unresponsive: "The sound server accepts connections but does not answer; restart it."
    case .noLibrary: "Earshot follows the sound by libpulse. Install it, and start Earshot again."
    case .failed: "The log has the details."
    }
  }

  /// Whether the control link works without the sound server, which is then worth saying.
  var sparesControls: Bool {
    switch self {
    case .noServer, .serverEnded, .noLibrary, .failed: true
    case .notStarted, .accessDenied, .unresponsive: false
    }
  }
}

extension AudioSnapshot {
  /// The server's name in short: "PipeWire 1.0.5" for "PulseAudio (on PipeWire 1.0.5)".
  var shortServerName: String {
    guard let start = serverName.firstRange(of: "(on ")?.upperBound, serverName.hasSuffix(")")
    else {
      return serverName
    }
    return String(serverName[start...].dropLast())
  }
}
