public import HeadphoneProtocols

extension Part {
  /// "left", "right", "case".
  public var name: String {
    switch self {
    case .left: "left"
    case .right: "right"
    case .case: "case"
    }
  }
}

extension TouchGesture {
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

extension PairedDevice {
  /// What the headphone reports of it, for example "playing, this computer".
  public var stateText: String {
    [
      isPlaying == true ? "playing" : isConnected ? "connected" : "not connected",
      isPreferred == true ? "preferred" : nil, isThisComputer == true ? "this computer" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }
}
