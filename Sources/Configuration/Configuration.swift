public import Companion
public import HeadphoneProtocols
public import TerminalUI

/// What a person wishes the program to be like (docs/configuration.md).
public struct Configuration: Hashable, Sendable {
  /// Table `[screen]`.
  public var screen = ScreenPreferences()
  /// Table `[battery]`.
  public var thresholds = BatteryThresholds()
  /// Table `[connection]`.
  public var connection = ConnectionPreferences()
  /// Table `[firmware]`.
  public var firmware = FirmwarePreferences()
  /// What becomes of the sound while no bud is worn.
  public var autoPause = AutoPause.off
  /// Only where they differ from the standard ones, in the order of the file.
  public var keyBindings: [KeyBinding] = []
  /// The standard keys with ``keyBindings`` in them.
  public var keys = KeyMap.standard
  /// Other kinds of headphones, by the names of their tables.
  public var profiles: [NamedProfile] = []

  /// What a person gets who wishes nothing.
  public init() {}

  /// All kinds of headphones, the built-in one first.
  public var allProfiles: [DeviceProfile] { [.earshot] + profiles.map(\.profile) }

  /// Files with makers' public keys, each with the name of the profile whose firmware they sign.
  public var keyFiles: [(profile: String, file: MakerKeyFile)] {
    firmware.keyFiles.map { (DeviceProfile.earshot.name, $0) }
      + profiles.flatMap { named in named.keyFiles.map { (named.profile.name, $0) } }
  }
}

/// How the program looks.
public struct ScreenPreferences: Hashable, Sendable {
  /// The characters that are not letters.
  public enum SymbolSet: String, Hashable, Sendable, CaseIterable {
    case auto, unicode, console, ascii
  }

  /// The colours of the roles.
  public var theme = Theme.standard
  /// The terminal's background, for which they are chosen.
  public var ground = GroundChoice.auto
  /// `auto`: as locale and terminal allow.
  public var symbols = SymbolSet.auto
  /// Whether clicks choose and press; the terminal then selects text with Shift only.
  public var hasMouse = true
  /// Whether things move on the screen while sound plays; nil: unless it is shown over ssh, or the
  /// headphones are virtual.
  public var hasMotion: Bool?

  public init() {}
}

/// Which headphone is linked, and over which adapter.
public struct ConnectionPreferences: Hashable, Sendable {
  /// Which headphone is connected at the start.
  public enum Rule: Hashable, Sendable {
    case lastUsed, never
    /// The first whose identity, address or name begins so.
    case matching(String)
  }

  /// By what the screen connects at the start, and commands choose.
  public var rule = Rule.lastUsed
  /// "hci0"; nil: the first that is on.
  public var adapter: String?

  public init() {}
}

/// Whose firmware is trusted for headphones of the built-in profile.
public struct FirmwarePreferences: Hashable, Sendable {
  /// Files with makers' public keys.
  public var keyFiles: [MakerKeyFile] = []

  public init() {}
}

/// Another kind of headphone.
public struct NamedProfile: Hashable, Sendable {
  /// Its table is `[profiles.NAME]`.
  public var name: String
  /// What the table says, checked.
  public var profile: DeviceProfile
  /// Files with the public keys of makers whose firmware is trusted for it.
  public var keyFiles: [MakerKeyFile]

  public init(name: String, profile: DeviceProfile, keyFiles: [MakerKeyFile] = []) {
    self.name = name
    self.profile = profile
    self.keyFiles = keyFiles
  }
}

/// A line of the file that has no effect, and why.
public struct ConfigurationMistake: Error, Hashable, Sendable, Comparable, CustomStringConvertible {
  /// From 1.
  public var line: Int
  /// What is wrong, and what is allowed there.
  public var what: String

  public init(line: Int, _ what: String) {
    self.line = line
    self.what = what
  }

  public var description: String { "line \(line): \(what)" }

  public static func < (a: ConfigurationMistake, b: ConfigurationMistake) -> Bool {
    (a.line, a.what) < (b.line, b.what)
  }
}
