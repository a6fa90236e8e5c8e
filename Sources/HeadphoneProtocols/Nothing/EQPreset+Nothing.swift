extension EQPreset {
  /// Balanced, voice, more bass and custom have a place; more treble and advanced are shown as
  /// custom.
  init?(nothing byte: UInt8) {
    switch byte {
    case 0: self = .balanced
    case 1: self = .vocal
    case 3: self = .bassBoost
    case 2, 5, 6: self = .custom
    default: return nil
    }
  }

  var nothing: UInt8 {
    switch self {
    case .balanced: 0
    case .vocal: 1
    case .bassBoost: 3
    case .custom: 5
    }
  }
}
