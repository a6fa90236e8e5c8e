/// A setting that a headphone has: its name, its values, its words, and where it belongs.
///
/// The screen's row, `earshot setting`, JSON and completions are made from the declaration, so that
/// a further switch of a maker costs this value and its bytes:
///
/// ```swift
/// SettingDeclaration(
///   "speak-to-chat", .toggle, title: "Speak to chat", label: "Talk", group: .noise)
/// ```
public struct SettingDeclaration: Hashable, Sendable, Identifiable {
  /// The values that a setting can have.
  public enum Kind: Hashable, Sendable {
    /// On or off.
    case toggle
    /// One of several, in the order in which they are shown.
    case choice([SettingChoice])
    case level(SettingRange)
    /// A gain for each band, within the range, in tenths of a dB.
    case bands([SettingBand], SettingRange)
    /// UTF-8 of so many bytes.
    case text(ClosedRange<Int>)
    /// Something to be done, with no value to be read.
    case action
    /// Text that the headphone reports and nobody sets: the codec in use.
    case reading
  }

  /// The part of the screen that a setting belongs to.
  public enum Group: Hashable, Sendable, CaseIterable {
    case noise, sound, wearing, controls, device
  }

  public var id: SettingID
  public var kind: Kind
  /// For people: "Conversation awareness".
  public var title: String
  /// The title in at most eight columns, for the rows of a panel: "Talk".
  public var label: String
  public var group: Group

  public init(
    _ id: SettingID, _ kind: Kind, title: String, label: String, group: Group
  ) {
    self.id = id
    self.kind = kind
    self.title = title
    self.label = label
    self.group = group
  }
}

/// One of the values of a choice.
public struct SettingChoice: Hashable, Sendable, Identifiable {
  /// As scripts write it: lower-case words with hyphens.
  public var id: String
  /// For people.
  public var title: String

  public init(_ id: String, title: String) {
    self.id = id
    self.title = title
  }
}

/// The whole numbers that a level can be.
public struct SettingRange: Hashable, Sendable {
  /// The lowest and the highest level.
  public var bounds: ClosedRange<Int>
  /// By how much a key changes it; from the lower bound on, only multiples of it are valid where
  /// ``isStrict``.
  public var step: Int
  /// Whether values between the steps are refused.
  public var isStrict: Bool
  /// "%", "min"; empty: none.
  public var unit: String

  /// - Parameters:
  ///   - bounds: the lowest and the highest level.
  ///   - step: by how much a key changes it; at least 1.
  ///   - isStrict: whether values between the steps are refused.
  ///   - unit: for people; empty for none.
  public init(
    _ bounds: ClosedRange<Int>, step: Int = 1, isStrict: Bool = false, unit: String = ""
  ) {
    self.bounds = bounds
    self.step = max(1, step)
    self.isStrict = isStrict
    self.unit = unit
  }

  /// Whether a level is one of these.
  public func contains(_ level: Int) -> Bool {
    bounds.contains(level) && (!isStrict || (level - bounds.lowerBound) % step == 0)
  }
}

/// A band of an equaliser.
public enum SettingBand: Hashable, Sendable {
  /// The middle of the band, Hz.
  case hertz(Int)
  /// A band that has a name instead, such as a bass boost beside the bands.
  case named(String)
}
