/// A gesture on a bud (docs/protocol.md section 6).
public enum TouchGesture: UInt8, Hashable, Sendable, CaseIterable {
  case tap = 0
  case doubleTap = 1
  case tripleTap = 2
  case hold = 3
}

/// The action of a gesture.
public enum TouchAction: UInt8, Hashable, Sendable, CaseIterable {
  case none = 0
  case playPause = 1
  case next = 2
  case previous = 3
  case cycleANC = 4
  case assistant = 5
  case volumeUp = 6
  case volumeDown = 7
}

extension TouchGesture {
  /// The name on the command line and in JSON.
  public var name: String {
    switch self {
    case .tap: "tap"
    case .doubleTap: "double-tap"
    case .tripleTap: "triple-tap"
    case .hold: "hold"
    }
  }

  /// The gesture in words: "double tap".
  public var title: String {
    switch self {
    case .tap: "tap"
    case .doubleTap: "double tap"
    case .tripleTap: "triple tap"
    case .hold: "hold"
    }
  }
}

extension TouchAction {
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

  /// The action in words: "Play or pause".
  public var title: String {
    switch self {
    case .none: "Nothing"
    case .playPause: "Play or pause"
    case .next: "Next track"
    case .previous: "Previous track"
    case .cycleANC: "Next noise control mode"
    case .assistant: "Assistant"
    case .volumeUp: "Volume up"
    case .volumeDown: "Volume down"
    }
  }
}
