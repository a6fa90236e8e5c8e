public import HeadphoneProtocols

/// The page on which the equaliser is edited: where the cursor is, and what Esc returns to.
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

  /// The one that is edited; its changes are heard at once.
  public var headphone: HeadphoneID
  /// Where the cursor is.
  public var row: Row
  /// As the headphone sounded when the page was opened; nil: unknown.
  public var preset: EQPreset?
  /// Nil: unknown, or it has no bands.
  public var gains: [BandGain]?
  /// The sounds before each change, the newest last.
  var past: [EQSound] = []
  /// Those that were undone, the newest last.
  var future: [EQSound] = []
  /// What a comparison returns to; nil: what is heard is what was made.
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
  mutating func remember(_ sound: EQSound) {
    guard past.last != sound else { return }
    past = past.suffix(Self.historyLimit - 1) + [sound]
    future = []
    compared = nil
  }

  private static let historyLimit = 200
}

/// What decides how a headphone's equaliser sounds; nil: unknown.
public struct EQSound: Hashable, Sendable {
  var preset: EQPreset?
  var gains: [BandGain]?
}

/// Gains that a person has given a name.
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
  public static func complaint(about name: String) -> String? {
    if name.isEmpty { return "a name is needed" }
    if name.count > longestName { return "a name has at most \(longestName) characters" }
    return displayable(name) == name ? nil : "the name holds characters that cannot be shown"
  }
}

/// A change of the saved presets.
public enum SavedEQChange: Hashable, Sendable {
  /// In the place of one of the same name.
  case keep(SavedEQ)
  /// The preset of the first name gets the second.
  case rename(String, to: String)
  /// The preset of this name.
  case delete(String)
}

/// What was made of the text of a parametric equaliser.
public struct EQImport: Hashable, Sendable {
  /// Where the text was, as the person wrote it.
  public var path: String
  /// What the headphone's bands make of it.
  public var fit: EQFit

  public init(path: String, fit: EQFit) {
    self.path = path
    self.fit = fit
  }
}

/// What happened to the presets of a person.
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
