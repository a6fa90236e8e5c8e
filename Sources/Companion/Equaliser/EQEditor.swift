package import HeadphoneProtocols

/// The state of the equaliser page: the cursor, the history, and the sound to compare with.
///
/// Each change is sent to the headphone, and the page shows the headphone's state. The history is
/// limited to 200 steps. A comparison (`b`) does not enter the history, and ends with the next
/// change.
package struct EQEditor: Hashable, Sendable {
  package enum Row: Hashable, Sendable {
    case preset
    /// A band, counted from 0 for the lowest.
    case band(Int)
    case saved(String)
  }

  package var headphone: HeadphoneID
  package var row: Row
  package var opening: EQSound
  var past: [EQSound] = []
  var future: [EQSound] = []
  package var canUndo: Bool { !past.isEmpty }
  package var canRedo: Bool { !future.isEmpty }
  /// The edited sound during a comparison; nil otherwise.
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
  /// The preset; nil if it is unknown or another one.
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

package struct SavedEQ: Hashable, Sendable {
  package var name: String
  package var gains: [BandGain]

  package init(name: String, gains: [BandGain]) {
    self.name = name
    self.gains = gains
  }

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
  case keep(SavedEQ)
  case rename(String, to: String)
  case delete(String)
}

package struct EQImport: Hashable, Sendable {
  package var path: String
  package var fit: EQFit

  package init(path: String, fit: EQFit) {
    self.path = path
    self.fit = fit
  }
}

package enum EqualiserEvent: Hashable, Sendable {
  /// All saved presets, in the order of their names.
  case saved([SavedEQ])
  case failed(String)
  case imported(HeadphoneID, path: String, ParametricEQ)
  case rejected(HeadphoneID, reason: String)
}
