public import HeadphoneProtocols

/// The page on which the equaliser is edited: where the cursor is, and what Esc returns to.
///
/// Nothing is edited offline: each change is sent to the headphone, and what is shown is the
/// headphone's state. The editor only holds what the state cannot: the cursor, the history, and the
/// sound to return to.
///
/// History is bounded at 200 steps. A comparison (`b`) does not enter the history, and ends with
/// the next change.
public struct EQEditor: Hashable, Sendable {
  /// A line that the cursor can be on.
  public enum Row: Hashable, Sendable {
    /// The headphone's own presets.
    case preset
    /// From the lowest, which is 0.
    case band(Int)
    /// A saved preset, by its name.
    case saved(String)
  }

  /// The headphone that is edited; changes take effect at once.
  public var headphone: HeadphoneID
  /// Where the cursor is.
  public var row: Row
  /// As the headphone sounded when the page was opened; nil: unknown.
  public var preset: EQPreset?
  /// Nil: unknown, or it has no bands.
  public var gains: [BandGain]?
  /// The sounds before each change, the newest last.
  var past: [EQSound] = []
  /// The sounds that were undone, the newest last.
  var future: [EQSound] = []
  /// The edited sound, while a comparison plays the one before; nil: no comparison is on.
  public internal(set) var compared: EQSound?

  public init(
    headphone: HeadphoneID, row: Row, preset: EQPreset? = nil, gains: [BandGain]? = nil
  ) {
    self.headphone = headphone
    self.row = row
    self.preset = preset
    self.gains = gains
  }
}

extension EQEditor {
  /// As the headphone sounded when the page was opened.
  var opening: EQSound { EQSound(preset: preset, gains: gains) }

  /// Remembers a sound that is about to be changed.
  ///
  /// A new change drops what could have been redone. The same sound twice in a row is one step.
  mutating func remember(_ sound: EQSound) {
    guard past.last != sound else { return }
    past = past.suffix(Self.historyLimit - 1) + [sound]
    future = []
    compared = nil
  }

  private static let historyLimit = 200
}

/// The sound of a headphone's equaliser, as preset and gains; nil: unknown.
public struct EQSound: Hashable, Sendable {
  /// Nil: unknown, or none of these.
  public var preset: EQPreset?
  /// Those of the custom preset.
  public var gains: [BandGain]?

  public init(preset: EQPreset?, gains: [BandGain]?) {
    self.preset = preset
    self.gains = gains
  }
}

/// Gains that were saved under a name.
public struct SavedEQ: Hashable, Sendable {
  /// Unique among those that are saved.
  public var name: String
  /// From the lowest band.
  public var gains: [BandGain]

  public init(name: String, gains: [BandGain]) {
    self.name = name
    self.gains = gains
  }

  /// The longest name, in characters.
  public static let longestName = 40

  /// Why a name cannot be one; nil: it can.
  ///
  /// - Returns: A sentence fragment for the entry's error line.
  public static func complaint(about name: String) -> String? {
    if name.isEmpty { return "a name is needed" }
    if name.count > longestName { return "a name has at most \(longestName) characters" }
    return displayable(name) == name ? nil : "the name has characters that cannot be shown"
  }
}

/// A change of the saved presets.
///
/// Every change is answered by ``EqualiserEvent/saved(_:)`` with all presets, as the file then has
/// them.
public enum SavedEQChange: Hashable, Sendable {
  /// Saves a preset, in the place of one of the same name.
  case keep(SavedEQ)
  /// The preset of the first name gets the second.
  case rename(String, to: String)
  /// The preset of this name.
  case delete(String)
}

/// The last import of a parametric equaliser.
public struct EQImport: Hashable, Sendable {
  /// The path of the text, as it was entered.
  public var path: String
  /// What the headphone's bands make of it.
  public var fit: EQFit

  public init(path: String, fit: EQFit) {
    self.path = path
    self.fit = fit
  }
}

/// An event of the saved presets, or of an import.
public enum EqualiserEvent: Hashable, Sendable {
  /// All that are saved, in the order of their names.
  case saved([SavedEQ])
  /// The file of them cannot be read or written; why.
  case failed(String)
  /// The text could be read; what it says.
  case imported(HeadphoneID, path: String, ParametricEQ)
  /// The text is none, or cannot be read; where and why.
  case rejected(HeadphoneID, reason: String)
}
