public import Companion
public import HeadphoneProtocols
public import TerminalUI

/// The user's configuration (docs/configuration.md).
///
/// ```swift
/// let (configuration, mistakes) = Configuration.read(Array("[screen]\ntheme = \"dark\"".utf8))
/// for mistake in mistakes { print(mistake) }  // line 2: …
/// ```
public struct Configuration: Hashable, Sendable {
  /// The user's themes, from `[themes.NAME]`, in the order of the file.
  public var themes: [Theme] = []
  public var screen = ScreenPreferences()
  public var thresholds = BatteryThresholds()
  public var connection = ConnectionPreferences()
  public var firmware = FirmwarePreferences()
  /// The treatment of the sound while no bud is worn.
  public var autoPause = AutoPause.off
  /// The treatment of headphones' sound, from `[sound]` and `[headphones.NAME]`.
  public var sound = SoundRules()
  public var notifications = NotificationRules()
  /// The commands that the process with the link runs on events.
  public var hooks: [Hook: HookCommand] = [:]
  /// The scenes, in the order of the file.
  public var scenes: [Scene] = []
  /// The corrections of headphones, in the order of the file.
  public var corrections: [CorrectionPreference] = []
  /// The key bindings that differ from the standard ones, in the order of the file.
  public var keyBindings: [KeyBinding] = []
  /// The standard keys with ``keyBindings`` applied.
  public var keys = KeyMap.standard
  /// The additional kinds of headphones, in the order of their tables.
  public var profiles: [NamedProfile] = []

  public init() {}

  /// The handling of the buttons of headphones.
  public var buttons: ButtonMode {
    guard case .word(let word)? = sound.all[.buttons] else { return .auto }
    return ButtonMode(rawValue: word) ?? .auto
  }

  /// All themes, the user's last.
  public var allThemes: [Theme] { Theme.allCases + themes }

  /// All kinds of headphones, the built-in one first.
  public var allProfiles: [DeviceProfile] { [.earshot] + profiles.map(\.profile) }

  /// The files with vendor keys, each with the name of the profile whose firmware they verify.
  public var keyFiles: [(profile: String, file: MakerKeyFile)] {
    firmware.keyFiles.map { (DeviceProfile.earshot.name, $0) }
      + profiles.flatMap { named in named.keyFiles.map { (named.profile.name, $0) } }
  }
}

/// The appearance of the screen.
public struct ScreenPreferences: Hashable, Sendable {
  /// The characters for lines, bars and marks.
  ///
  /// `auto` follows the locale and the terminal, `unicode` uses any character, `console` only those
  /// in the fonts of the Linux console, and `ascii` only ASCII.
  public enum SymbolSet: String, Hashable, Sendable, CaseIterable {
    case auto, unicode, console, ascii
  }

  public var theme = Theme.standard
  /// The terminal's background, for which the colours are chosen.
  public var background = BackgroundChoice.auto
  public var symbols = SymbolSet.auto
  /// Whether words replace symbols, as screen readers and braille displays need.
  public var isAccessible = false
  /// Whether clicks select and press; the terminal then selects text only with Shift.
  public var hasMouse = true
  /// Whether the screen is animated while sound plays.
  ///
  /// The default, nil, animates it except over ssh, on battery power and for virtual headphones.
  public var hasMotion: Bool?

  public init() {}
}

/// The choice of headphone and adapter.
public struct ConnectionPreferences: Hashable, Sendable {
  /// The headphone that is connected at the start.
  public enum Rule: Hashable, Sendable {
    /// The most recently used headphone, or none.
    case lastUsed, never
    /// The first headphone whose ID, address or name begins with the text.
    case matching(String)
  }

  /// The headphone that the screen connects at the start, and that commands choose.
  public var rule = Rule.lastUsed
  /// The adapter, for example "hci0", or nil for the first that is switched on.
  public var adapter: String?

  public init() {}
}

/// The vendors whose firmware is trusted for headphones of the built-in profile.
public struct FirmwarePreferences: Hashable, Sendable {
  /// The files with vendors' public keys.
  public var keyFiles: [MakerKeyFile] = []

  public init() {}
}

/// An additional kind of headphone, from table `[profiles.NAME]`.
public struct NamedProfile: Hashable, Sendable {
  /// The NAME of the table.
  public var name: String
  public var profile: DeviceProfile
  /// The files with vendor keys that are trusted for firmware of this profile.
  public var keyFiles: [MakerKeyFile] = []
}

/// A line of the file that has no effect, with the reason.
public struct ConfigurationMistake: Error, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The line number, counted from 1.
  public var line: Int
  /// The mistake, and what is allowed instead.
  public var what: String

  public init(line: Int, _ what: String) {
    self.line = line
    self.what = what
  }

  /// The line and the mistake, for example "line 2: …".
  public var description: String { "line \(line): \(what)" }

  public static func < (a: ConfigurationMistake, b: ConfigurationMistake) -> Bool {
    (a.line, a.what) < (b.line, b.what)
  }
}
