/// A setting of a headphone: its identifier, values, titles, and place on the screen.
///
/// The screen's row, `earshot setting`, JSON and completions follow from the declaration, so that a
/// further switch of a maker needs only this value and its bytes:
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
    /// An integer.
    case level(SettingRange)
    /// A gain for each band, within the range, in tenths of a dB.
    case bands([SettingBand], SettingRange)
    /// Text whose length in bytes of UTF-8 is in the range.
    case text(ClosedRange<Int>)
    /// An action without a value.
    case action
    /// Text that the headphone reports and that cannot be set, for example the codec in use.
    case reading
    /// The phones and computers that the headphone is paired with, which take these actions
    /// (``HeadphoneCommand/pairedDevice(_:_:)``).
    case pairedDevices([PairedDeviceAction])
  }

  /// The part of the screen that a setting belongs to.
  ///
  /// Noise control, sound, wearing detection, touch controls, and the device itself.
  public enum Group: Hashable, Sendable, CaseIterable {
    case noise, sound, wearing, controls, device
  }

  /// The identifier in commands and JSON.
  public var id: SettingID
  /// The values.
  public var kind: Kind
  /// The title for people, for example "Conversation awareness".
  public var title: String
  /// The title in at most seven columns, for the rows of a panel, for example "Talk".
  public var label: String
  /// The part of the screen that it belongs to.
  public var group: Group
  /// The modes of noise control in which it can be set; nil: in all.
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
  /// Where it can be set, for example "in transparency only"; nil: in this mode, too.
  ///
  /// - Parameter mode: nil: unknown.
  public func restriction(in mode: ANCMode?) -> String? {
    guard let modes, let mode, !modes.contains(mode) else { return nil }
    return "in \(modes.map { $0.title.lowercased() }.joined(separator: " or ")) only"
  }
}

/// One of the values of a choice.
public struct SettingChoice: Hashable, Sendable, Identifiable {
  /// The identifier in commands and JSON: lower-case words with hyphens.
  public var id: String
  /// The title for people.
  public var title: String

  public init(_ id: String, title: String) {
    self.id = id
    self.title = title
  }
}

/// The integers that a level may have.
public struct SettingRange: Hashable, Sendable {
  /// The lowest and the highest level.
  public var bounds: ClosedRange<Int>
  /// The amount by which a key changes the level.
  public var step: Int
  /// Whether only multiples of ``step`` from the lower bound are valid.
  public var isStrict: Bool
  /// The unit for people, for example "%" or "min"; empty for none.
  public var unit: String

  /// A range.
  ///
  /// - Parameters:
  ///   - bounds: the lowest and the highest level.
  ///   - step: the amount by which a key changes the level; at least 1.
  ///   - isStrict: whether values between the steps are rejected.
  ///   - unit: the unit for people; empty for none.
  public init(
    _ bounds: ClosedRange<Int>, step: Int = 1, isStrict: Bool = false, unit: String = ""
  ) {
    self.bounds = bounds
    self.step = max(1, step)
    self.isStrict = isStrict
    self.unit = unit
  }

  /// Whether a level is valid.
  public func contains(_ level: Int) -> Bool {
    bounds.contains(level) && (!isStrict || (level - bounds.lowerBound) % step == 0)
  }
}

/// A band of an equaliser.
public enum SettingBand: Hashable, Sendable {
  /// A band by its centre frequency in Hz.
  case hertz(Int)
  /// A band with a name, such as a bass boost beside the others.
  case named(String)
}
