internal import AudioRoute
internal import Companion

/// A line of the audio panel.
///
/// ``AudioLines`` chooses the lines that fit before any is drawn.
enum AudioLine: Hashable, Sendable {
  /// The route of the sound and its state.
  case wire
  /// A row of the explanation of the route.
  case explanation(Int)
  /// An empty row, numbered so that lines differ.
  case space(Int)
  case playing
  case volume, offset, microphone
  case outputsTitle
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
    case .outputsTitle, .output: .others
    case .explanation: .explanation
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
    let head = state.audioLines(explanationRows: explanationRows)
    let outputs = state.outputs.map { AudioLine.output($0.name) }
    let title: [AudioLine] = outputs.isEmpty ? [] : [.space(2), .outputsTitle]
    let all = head + title + outputs
    let spaces = all.count { $0.importance == .space }
    guard all.count - spaces > rows else {
      shown = all.fitting(rows: rows, keeping: cursor)
      return
    }
    // The list scrolls with the cursor; its heading is dropped if no output fits below it.
    let plain = head.filter { $0.importance != .space }
    if rows >= head.count + title.count + Self.roomyOutputs {
      shown = head + title
    } else {
      shown = plain + (rows > plain.count + 1 ? [.outputsTitle] : [])
    }
    let place = outputs.firstIndex(of: cursor)
    let room = rows - shown.count
    guard room > 0 else {
      shown = (plain + (place.map { [outputs[$0]] } ?? [])).fitting(rows: rows, keeping: cursor)
      return
    }
    let first = min(max(0, (place ?? 0) - room / 2), outputs.count - room)
    shown += outputs[first..<first + room]
    above = first
    below = outputs.count - first - room
  }

  private static let roomyOutputs = 4
}

extension State {
  fileprivate func audioLines(explanationRows: Int) -> [AudioLine] {
    var lines: [AudioLine] = [.wire, .space(0)]
    lines += (0..<explanationRows).map(AudioLine.explanation)
    if explanationRows > 0 { lines.append(.space(1)) }
    guard case .running(let sound) = audio else { return lines }
    let route = headphones.selected.map(route(of:)) ?? .none(elsewhere: output)
    if route.volumeSink(sound) != nil { lines.append(.volume) }
    if offsetText != nil { lines.append(.offset) }
    if nowPlaying != nil { lines.append(.playing) }
    if !sound.sources.isEmpty { lines.append(.microphone) }
    return lines
  }
}

extension RouteState {
  /// Returns the sink on which `+`, `-` and `m` act: the headphone's, else the current output.
  func volumeSink(_ sound: AudioSnapshot) -> AudioSink? {
    switch self {
    case .connected(let sink, _): sink
    case .notRouted(let match, _): match.sink ?? sound.route
    case .none, .unknown: sound.route
    }
  }

  /// The commands in the lower border of the panel.
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
  /// "PipeWire 1.0.5" for "PulseAudio (on PipeWire 1.0.5)".
  var shortServerName: String {
    guard let start = serverName.firstRange(of: "(on ")?.upperBound, serverName.hasSuffix(")")
    else {
      return serverName
    }
    return String(serverName[start...].dropLast())
  }
}
