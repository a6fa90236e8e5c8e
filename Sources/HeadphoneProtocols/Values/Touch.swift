/// A gesture on a bud (docs/protocol.md section 6).
public enum TouchGesture: UInt8, Hashable, Sendable, CaseIterable {
  /// One tap.
  case tap = 0
  /// Two taps.
  case doubleTap = 1
  /// Three taps.
  case tripleTap = 2
  /// A touch that is held.
  case hold = 3
}

/// The action of a gesture.
public enum TouchAction: UInt8, Hashable, Sendable, CaseIterable {
  /// Nothing.
  case none = 0
  /// Plays or pauses.
  case playPause = 1
  /// Skips to the next track.
  case next = 2
  /// Skips to the previous track.
  case previous = 3
  /// Selects the next noise-control mode.
  case cycleANC = 4
  /// Starts the voice assistant.
  case assistant = 5
  /// Raises the volume.
  case volumeUp = 6
  /// Lowers the volume.
  case volumeDown = 7
}

extension TouchGesture {
  /// The gesture's name on the command line and in JSON.
  public var name: String {
    switch self {
    case .tap: "tap"
    case .doubleTap: "double-tap"
    case .tripleTap: "triple-tap"
    case .hold: "hold"
    }
  }
}

extension TouchAction {
  /// The action's name on the command line and in JSON.
  public var name: String {
    switch self {
    case .none: "none"
    case .playPause: "play-pause"
    case .next: "next"
    case .previous: "previous"
    case .cycleANC: "cycle-anc"
    case .assistant: "assistant"
    case .volumeUp: "volume-up"
    case .volumeDown: "volume-down"
    }
  }
}
