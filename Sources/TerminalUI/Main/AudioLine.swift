internal import AudioRoute
internal import Companion

/// A line of the audio panel.
///
/// The lines are chosen first (``lines(_:others:linkRows:explanationRows:)``), then the least
/// important go where there are too few rows, and then what is left is drawn.
enum AudioLine: Hashable, Sendable {
  /// Mark and words: "● Playing here".
  case state
  /// The way of the sound, drawn.
  case route
  /// A row of what the kernel reports where the sound server reports nothing.
  case link(Int)
  /// A row of why the route is unknown.
  case explanation(Int)
  /// An empty row, numbered so that lines differ.
  case space(Int)
  /// The media player's piece.
  case playing
  case output, profile, codec, microphone, volume, server
  /// "This headphone": what follows is about it, not about where the sound goes.
  case deviceTitle
  /// "Other outputs".
  case othersTitle
  /// A sink that sound could go to instead, by its name.
  case other(String)
}

extension AudioLine: PanelLine {
  /// Every line takes one row.
  var rows: Int { 1 }

  /// The order in which lines give way.
  var importance: Importance {
    switch self {
    case .space, .deviceTitle: .space
    case .codec: .codec
    case .server: .identity
    case .othersTitle, .other: .others
    case .explanation: .explanation
    case .link: .detail
    case .profile, .playing, .microphone: .detail
    case .route: .sensing
    case .output, .volume: .choice
    case .state: .state
    }
  }
}

extension AudioObservation {
  /// The panel's lines, each in its place.
  ///
  /// - Parameters:
  ///   - route: The route as seen from the selected headphone.
  ///   - others: Further outputs, at most as many as the panel offers.
  ///   - linkRows: Rows of the kernel's remark on the audio link.
  ///   - explanationRows: Rows of the explanation of an unknown route.
  func lines(
    _ route: RouteState, others: [AudioSink], isPlaying: Bool, linkRows: Int, explanationRows: Int
  ) -> [AudioLine] {
    var lines: [AudioLine] =
      [.state, .route] + (isPlaying ? [.playing] : []) + (0..<linkRows).map(AudioLine.link)
      + [.space(0)]
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
    if !sound.sources.isEmpty { lines.append(.microphone) }
    lines.append(.server)
    if !others.isEmpty {
      lines += [.space(2), .othersTitle] + others.map { .other($0.name) }
    }
    return lines
  }
}

extension AudioLine {
  /// The line of a row of the cursor.
  init(_ row: AudioRow) {
    switch row {
    case .volume: self = .volume
    case .output(let name): self = .other(name)
    }
  }
}

extension RouteState {
  /// The sink on which `+`, `-` and `m` act: the headphone's own, else where the sound goes.
  func volumeSink(_ sound: AudioSnapshot) -> AudioSink? {
    switch self {
    case .connected(let sink, _): sink
    case .notRouted(let match, _): match.sink ?? sound.route
    case .none, .unknown: sound.route
    }
  }

  /// The commands whose keys stand in the lower border of the panel.
  var commands: [UserCommand] {
    switch self {
    case .connected(_, let match):
      match.card == nil ? [.toggleMute] : [.toggleMute, .switchProfile, .microphone]
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

extension AudioUnavailable {
  /// What the reason means, in a sentence or two.
  var explanation: String {
    switch self {
    case .notStarted: "The sound server has not answered yet."
    case .noServer:
      "Neither PipeWire nor PulseAudio runs for this user."
    case .serverEnded: "Earshot reconnects when it is back."
    case .accessDenied:
      "The sound server belongs to another user. Run earshot as that user."
    case .unresponsive: "The sound server accepts connections but does not answer; restart it."
    case .failed: "The log has the details."
    }
  }

  /// Whether to say that the control link is not affected.
  var sparesControls: Bool {
    switch self {
    case .noServer, .serverEnded, .failed: true
    case .notStarted, .accessDenied, .unresponsive: false
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
