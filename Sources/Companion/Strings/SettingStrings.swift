public import Headphones

extension ANCMode {
  /// The mode's name on the command line and in JSON.
  public var name: String {
    switch self {
    case .off: "off"
    case .noiseCancelling: "noise-cancelling"
    case .transparency: "transparency"
    case .adaptive: "adaptive"
    }
  }

  /// The mode as a person reads it.
  public var title: String {
    switch self {
    case .off: "Off"
    case .noiseCancelling: "Noise cancelling"
    case .transparency: "Transparency"
    case .adaptive: "Adaptive"
    }
  }
}

extension EQPreset {
  /// The preset's name on the command line and in JSON.
  public var name: String {
    switch self {
    case .balanced: "balanced"
    case .bassBoost: "bass-boost"
    case .vocal: "vocal"
    case .custom: "custom"
    }
  }

  /// The preset as a person reads it.
  public var title: String {
    switch self {
    case .balanced: "Balanced"
    case .bassBoost: "Bass boost"
    case .vocal: "Vocal"
    case .custom: "Custom"
    }
  }
}

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
