package import Companion
package import HeadphoneProtocols
package import TerminalUI

/// The user's configuration (docs/configuration.md).
package struct Configuration: Hashable, Sendable {
  /// The user's themes, from `[themes.NAME]`, in the order of the file.
  package var themes: [Theme] = [] { didSet { nameThemes() } }
  package var screen = ScreenPreferences() { didSet { nameThemes() } }
  package var connection = ConnectionPreferences()
  package var desktop = DesktopPreferences()
  package var firmware = FirmwarePreferences()
  /// The part that the reducer acts on.
  package var preferences = Preferences()
  /// The key bindings that differ from the standard ones, in the order of the file.
  package var keyBindings: [KeyBinding] = []
  /// The standard keys with ``keyBindings`` applied.
  package var keys = KeyMap.standard
  /// The additional kinds of headphones, in the order of their tables.
  package var profiles: [NamedProfile] = []

  package init() { nameThemes() }

  private mutating func nameThemes() {
    preferences.themes.names = allThemes.map(\.rawValue)
    preferences.themes.chosen = screen.theme.rawValue
  }

  package var allThemes: [Theme] { Theme.allCases + themes }

  /// All kinds of headphones, the built-in one first.
  package var allProfiles: [DeviceProfile] { [.earshot] + profiles.map(\.profile) }

  /// The files with vendor keys, each with the name of the profile whose firmware they verify.
  package var keyFiles: [(profile: String, file: MakerKeyFile)] {
    firmware.keyFiles.map { (DeviceProfile.earshot.name, $0) }
      + profiles.flatMap { named in named.keyFiles.map { (named.profile.name, $0) } }
  }
}

package struct ScreenPreferences: Hashable, Sendable {
  /// The characters for lines, bars and marks.
  ///
  /// `auto` follows the locale and the terminal, `console` has only those in the fonts of the Linux
  /// console.
  package enum SymbolSet: String, Hashable, Sendable, CaseIterable {
    case auto, unicode, console, ascii
  }

  package var theme = Theme.standard
  package var background = BackgroundChoice.auto
  package var symbols = SymbolSet.auto
  /// Whether words replace symbols, as screen readers and braille displays need.
  package var isAccessible = false
  /// Whether clicks select and press; the terminal then selects text only with Shift.
  package var hasMouse = true
  /// Whether the screen is animated while sound plays.
  ///
  /// Nil animates it except over SSH, on battery power and for virtual headphones.
  package var hasMotion: Bool?

  package init() {}
}

package struct ConnectionPreferences: Hashable, Sendable {
  package enum Rule: Hashable, Sendable {
    case lastUsed, never
    /// The first headphone whose ID, address or name begins with the text.
    case matching(String)
  }

  /// The headphone that the screen connects at the start, and that commands choose.
  package var rule = Rule.lastUsed
  /// The adapter, for example "hci0", or nil for the first that is switched on.
  package var adapter: String?

  package init() {}
}

package struct DesktopPreferences: Hashable, Sendable {
  /// Whether widgets and extensions for BudsLink show the headphones.
  package var hasBudsLink = false

  package init() {}
}

/// The vendors whose firmware is trusted for headphones of the built-in profile.
package struct FirmwarePreferences: Hashable, Sendable {
  package var keyFiles: [MakerKeyFile] = []

  package init() {}
}

/// An additional kind of headphone, from table `[profiles.NAME]`.
package struct NamedProfile: Hashable, Sendable {
  package var name: String
  package var profile: DeviceProfile
  /// The files with vendor keys that are trusted for firmware of this profile.
  package var keyFiles: [MakerKeyFile] = []
}

/// A line of the file that has no effect, with the reason.
package struct ConfigurationMistake: Error, Hashable, Sendable, Comparable, CustomStringConvertible
{
  /// The line number, counted from 1.
  package var line: Int
  package var what: String

  package init(line: Int, _ what: String) {
    self.line = line
    self.what = what
  }

  package var description: String { "line \(line): \(what)" }

  package static func < (a: ConfigurationMistake, b: ConfigurationMistake) -> Bool {
    (a.line, a.what) < (b.line, b.what)
  }
}
