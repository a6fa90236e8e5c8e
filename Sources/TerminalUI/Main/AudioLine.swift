internal import AudioRoute
internal import Companion

/// A line of the audio panel.
enum AudioLine: Hashable, Sendable {
  case state
  /// The way of the sound, drawn.
  case route
  /// What the kernel knows where the sound server knows nothing.
  case link(Int)
  case explanation(Int)
  case space(Int)
  case output, profile, codec, volume, server
  /// What follows is about the headphone, not about where the sound goes.
  case deviceTitle
  case othersTitle
  /// A sink that sound could go to instead, by its name.
  case other(String)
}

extension AudioLine: PanelLine {
  var rows: Int { 1 }

  var importance: Importance {
    switch self {
    case .space, .deviceTitle: .space
    case .codec: .codec
    case .server: .identity
    case .othersTitle, .other: .others
    case .explanation: .explanation
    case .link: .detail
    case .profile: .detail
    case .route: .sensing
    case .output, .volume: .choice
    case .state: .state
    }
  }
}

extension AudioObservation {
  /// The panel's lines, each in its place.
  func lines(
    _ route: RouteState, others: [AudioSink], linkRows: Int, explanationRows: Int
  ) -> [AudioLine] {
    var lines: [AudioLine] = [.state, .route] + (0..<linkRows).map(AudioLine.link) + [.space(0)]
    guard case .running(let sound) = self else {
      return lines + (0..<explanationRows).map(AudioLine.explanation)
    }
    switch route {
    case .connected: lines += [.profile, .codec, .volume]
    case .notRouted(let match, _):
      lines += [.deviceTitle, .profile, .codec]
      if match.sink != nil { lines.append(.volume) }
    case .none, .unknown:
      if sound.route != nil { lines += [.output, .volume] }
    }
    lines.append(.server)
    if !others.isEmpty {
      lines += [.space(2), .othersTitle] + others.map { .other($0.name) }
    }
    return lines
  }
}

extension AudioLine {
  /// The line that the cursor is on.
  init(_ row: AudioRow) {
    switch row {
    case .volume: self = .volume
    case .output(let name): self = .other(name)
    }
  }
}

extension RouteState {
  /// The sink that `+`, `-` and `m` act on: the headphone's own, else where the sound goes.
  func volumeSink(_ sound: AudioSnapshot) -> AudioSink? {
    switch self {
    case .connected(let sink, _): sink
    case .notRouted(let match, _): match.sink ?? sound.route
    case .none, .unknown: sound.route
    }
  }

  /// What can be done about it.
  var commands: [UserCommand] {
    switch self {
    case .connected(_, let match):
      match.card == nil ? [.toggleMute] : [.toggleMute, .switchProfile]
    case .notRouted: [.routeSound, .toggleMute]
    case .none(let elsewhere): elsewhere == nil ? [] : [.toggleMute]
    case .unknown: []
    }
  }

  /// The state in a few words.
  var panelText: String {
    switch self {
    case .connected(let sink, _):
      switch sink.activity {
      case .running: "Playing here"
      case .idle, .suspended: "Audio output"
      }
    case .notRouted(_, let elsewhere?): "Playing on \(elsewhere.description)"
    case .notRouted: "Playing elsewhere"
    case .none: "No audio connection"
    case .unknown(let reason): "Unknown: \(reason.displayText)"
    }
  }

  /// How it is to be seen.
  var role: Role {
    switch self {
    case .connected: .linkReady
    case .notRouted: .linkWorking
    case .none: .linkOff
    case .unknown: .unknownState
    }
  }

  /// The same, for those who see no colour.
  func mark(_ symbols: Symbols) -> String {
    switch self {
    case .connected: symbols.full
    case .notRouted: symbols.half
    case .none: symbols.empty
    case .unknown: "?"
    }
  }
}

extension AudioUnavailable {
  /// What that means for a person.
  var explanation: String {
    switch self {
    case .notStarted: "The sound server has not answered yet."
    case .noServer:
      "Neither PipeWire nor PulseAudio runs for this user. Controls don't need it."
    case .serverEnded: "Earshot reconnects when it is back. Controls don't need it."
    case .accessDenied:
      "The sound server belongs to another user. Run earshot as that user."
    case .unresponsive: "The sound server accepts connections but does not answer; restart it."
    case .failed: "The log has the details. Controls don't need it."
    }
  }
}

extension AudioProfile {
  /// The profile, and what it means for what is heard.
  var displayText: String {
    switch self {
    case .a2dp: "music (A2DP)"
    case .handsFree: "calls (HFP)"
    case .leAudio: "LE Audio"
    case .other(let name): name
    }
  }
}

extension AudioSnapshot {
  /// "PipeWire 1.0.5" of "PulseAudio (on PipeWire 1.0.5)".
  var shortServerName: String {
    guard let start = serverName.firstRange(of: "(on ")?.upperBound, serverName.hasSuffix(")")
    else {
      return serverName
    }
    return String(serverName[start...].dropLast())
  }
}
