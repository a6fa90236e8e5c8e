package import HeadphoneProtocols

/// The state of the equaliser's page: the cursor, the history, and the sound to compare with.
///
/// Each change is sent to the headphone, and the page shows the headphone's state. The history is
/// limited to 200 steps. A comparison (`b`) does not enter the history, and ends with the next
/// change.
package struct EQEditor: Hashable, Sendable {
  /// A line that the cursor can be on.
  package enum Row: Hashable, Sendable {
    /// The headphone's own presets.
    case preset
    /// A band, counted from 0 for the lowest.
    case band(Int)
    /// The name of a saved preset.
    case saved(String)
  }

  package var headphone: HeadphoneID
  package var row: Row
  /// The headphone's sound when the page was opened.
  package var opening: EQSound
  var past: [EQSound] = []
  var future: [EQSound] = []
  /// The edited sound during a comparison, or nil otherwise.
  package internal(set) var compared: EQSound?

  package init(headphone: HeadphoneID, row: Row, opening: EQSound = EQSound()) {
    self.headphone = headphone
    self.row = row
    self.opening = opening
  }
}

extension EQEditor {
  mutating func remember(_ sound: EQSound) {
    guard past.last != sound else { return }
    past = past.suffix(Self.historyLimit - 1) + [sound]
    future = []
    compared = nil
  }

  /// Continues the history of an earlier editor, so that leaving the page loses nothing.
  mutating func adoptHistory(of earlier: EQEditor?) {
    guard let earlier else { return }
    (past, future) = (earlier.past, earlier.future)
  }

  private static let historyLimit = 200
}

/// The sound of a headphone's equaliser; nil values are unknown.
package struct EQSound: Hashable, Sendable {
  /// The preset, or nil if it is unknown or another one.
  package var preset: EQPreset?
  /// The gains of the custom preset.
  package var gains: [BandGain]?
  /// The identifier of the maker's own preset.
  package var makersPreset: String?

  package init(
    preset: EQPreset? = nil, gains: [BandGain]? = nil, makersPreset: String? = nil
  ) {
    self.preset = preset
    self.gains = gains
    self.makersPreset = makersPreset
  }
}

/// Gains that were saved under a name.
package struct SavedEQ: Hashable, Sendable {
  /// The name, unique among the saved presets.
  package var name: String
  /// The gains, from the lowest band.
  package var gains: [BandGain]

  package init(name: String, gains: [BandGain]) {
    self.name = name
    self.gains = gains
  }

  /// The maximum length of a name in characters.
  package static let longestName = 40

  /// Returns why `name` is not valid, as a sentence fragment, or nil if it is.
  package static func complaint(about name: String) -> String? {
    if name.trimmed.isEmpty { return "a name is needed" }
    if name.count > longestName { return "a name has at most \(longestName) characters" }
    return displayable(name) == name ? nil : "the name has characters that cannot be shown"
  }
}

/// A change of the saved presets, which results in ``EqualiserEvent/saved(_:)``.
package enum SavedEQChange: Hashable, Sendable {
  /// Saves a preset, replacing one of the same name.
  case keep(SavedEQ)
  /// Renames a preset.
  case rename(String, to: String)
  /// Deletes the preset of this name.
  case delete(String)
}

/// The last import of a parametric equaliser.
package struct EQImport: Hashable, Sendable {
  /// The path as entered.
  package var path: String
  package var fit: EQFit

  package init(path: String, fit: EQFit) {
    self.path = path
    self.fit = fit
  }
}

/// An event of the saved presets or of an import.
package enum EqualiserEvent: Hashable, Sendable {
  /// All saved presets, in the order of their names.
  case saved([SavedEQ])
  /// The file of presets cannot be read or written for this reason.
  case failed(String)
  /// The file was read.
  case imported(HeadphoneID, path: String, ParametricEQ)
  /// The file cannot be read or parsed for this reason.
  case rejected(HeadphoneID, reason: String)
}
