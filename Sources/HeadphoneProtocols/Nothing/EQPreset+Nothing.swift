extension EQPreset {
  init?(nothing number: UInt8) {
    guard let preset = Self.allCases.first(where: { $0.nothing == number }) else { return nil }
    self = preset
  }

  var nothing: UInt8 {
    switch self {
    case .balanced: 0
    case .vocal: 1
    case .bassBoost: 3
    case .custom: 5
    }
  }

  /// The names of the presets that can be displayed but not selected, by their numbers.
  static let shownAlone: [UInt8: String] = [2: "more-treble", 4: "dirac-opteo", 6: "advanced"]
}
