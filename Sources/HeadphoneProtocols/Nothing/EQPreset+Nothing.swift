extension EQPreset {
  /// The preset of a number, or nil if the number is none of the standard presets.
  init?(nothing number: UInt8) {
    guard let preset = Self.allCases.first(where: { $0.nothing == number }) else { return nil }
    self = preset
  }

  /// The number that is sent: 0 balanced, 1 voice, 3 more bass, 5 custom.
  var nothing: UInt8 {
    switch self {
    case .balanced: 0
    case .vocal: 1
    case .bassBoost: 3
    case .custom: 5
    }
  }

  /// The names of presets that are shown and not offered, by their numbers.
  static let shownAlone: [UInt8: String] = [2: "more-treble", 4: "dirac-opteo", 6: "advanced"]
}
