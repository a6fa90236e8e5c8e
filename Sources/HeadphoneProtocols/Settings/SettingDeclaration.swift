/// A setting of a headphone: its identifier, values, titles, and place on the screen.
///
/// The screen's row, `earshot setting`, JSON and completions are derived from the declaration.
/// Another switch of a maker needs only a declaration and the bytes of the protocol:
///
/// ```swift
/// SettingDeclaration(
///   "speak-to-chat", .toggle, title: "Speak to chat", label: "Talk", group: .noise)
/// ```
public struct SettingDeclaration: Hashable, Sendable, Identifiable {
  /// The values that a setting can have.
  public enum Kind: Hashable, Sendable {
    case toggle
    case choice([SettingChoice])
    case level(SettingRange)
    /// A gain for each band in tenths of a dB, within the range.
    case bands([SettingBand], SettingRange)
    /// Text whose length in bytes of UTF-8 is in the range.
    case text(ClosedRange<Int>)
    case action
    /// Read-only text, such as the codec in use.
    case reading
    /// The paired devices, with the supported actions (``HeadphoneCommand/pairedDevice(_:_:)``).
    case pairedDevices([PairedDeviceAction])
  }

  /// The part of the screen that a setting belongs to.
  public enum Group: Hashable, Sendable, CaseIterable {
    case noise, sound, wearing, controls, device
  }

  public var id: SettingID
  public var kind: Kind
  /// The title on the screen, such as "Conversation awareness".
  public var title: String
  /// The title in at most seven columns, for the rows of a panel, such as "Talk".
  public var label: String
  public var group: Group
  /// The noise control modes in which the setting can be changed, or nil for all.
  public var modes: [ANCMode]?

  public init(
    _ id: SettingID, _ kind: Kind, title: String, label: String, group: Group,
    modes: [ANCMode]? = nil
  ) {
    self.modes = modes
    self.id = id
    self.kind = kind
    self.title = title
    self.label = label
    self.group = group
  }
}

extension SettingDeclaration {
  /// Returns when the setting can be changed, such as "in transparency only", or nil if it can be
  /// changed in `mode`.
  public func restriction(in mode: ANCMode?) -> String? {
    guard let modes, let mode, !modes.contains(mode) else { return nil }
    return "in \(modes.map { $0.title.lowercased() }.joined(separator: " or ")) only"
  }
}

extension SettingDeclaration.Kind {
  /// Returns a choice with titles derived from the identifiers, such as "When taken off".
  package static func choices(_ ids: [String]) -> Self {
    .choice(
      ids.map { id in
        let words = id.split(separator: "-").joined(separator: " ")
        return SettingChoice(id, title: words.prefix(1).uppercased() + words.dropFirst())
      })
  }
}

/// One of the values of a choice.
public struct SettingChoice: Hashable, Sendable, Identifiable {
  /// The identifier in commands and JSON: lower-case words with hyphens.
  public var id: String
  /// The title on the screen.
  public var title: String

  public init(_ id: String, title: String) {
    self.id = id
    self.title = title
  }
}

/// The integers that a level may have.
public struct SettingRange: Hashable, Sendable {
  /// The lowest and highest level.
  public var bounds: ClosedRange<Int>
  /// The amount by which one key press changes the level.
  public var step: Int
  /// Whether only multiples of ``step`` above the lower bound are valid.
  public var isStrict: Bool
  /// The unit on the screen, such as "%" or "min", or "" for none.
  public var unit: String

  /// Creates a range; a step below 1 becomes 1.
  public init(
    _ bounds: ClosedRange<Int>, step: Int = 1, isStrict: Bool = false, unit: String = ""
  ) {
    self.bounds = bounds
    self.step = max(1, step)
    self.isStrict = isStrict
    self.unit = unit
  }

  /// Returns whether a level is valid.
  public func contains(_ level: Int) -> Bool {
    bounds.contains(level) && (!isStrict || (level - bounds.lowerBound) % step == 0)
  }
}

/// A band of an equaliser.
public enum SettingBand: Hashable, Sendable {
  /// A band with this centre frequency in Hz.
  case hertz(Int)
  /// A band with a name, such as a bass boost.
  case named(String)
}
