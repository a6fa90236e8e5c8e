extension EQPreset {
  /// The preset of a number: 0 balanced, 1 voice, 3 more bass, 5 custom.
  ///
  /// 2 (more treble) and 6 (advanced) have no name here and are shown as custom; another number is
  /// nil.
  init?(nothing byte: UInt8) {
    switch byte {
    case 0: self = .balanced
    case 1: self = .vocal
    case 3: self = .bassBoost
    case 2, 5, 6: self = .custom
    default: return nil
    }
  }

  /// The number that is ordered.
  var nothing: UInt8 {
    switch self {
    case .balanced: 0
    case .vocal: 1
    case .bassBoost: 3
    case .custom: 5
    }
  }
}
