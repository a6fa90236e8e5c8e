internal import AudioRoute
internal import BluetoothLinux
public import Companion

/// All facts that the checks depend on, from one moment.
struct SystemFacts: Hashable, Sendable {
  /// The kernel, its adapters and radio switches, and bluetoothd.
  var bluetooth: BluetoothSurvey
  /// The headphones whose control link bluetoothd has, by name.
  var heldLinks: [String]? = []
  /// The adapter given by `--adapter`.
  var wantedAdapter: String?
  /// The capabilities of this process; `nil` if /proc does not reveal them.
  var rights: ProcessRights?
  /// The output of `uname -r`.
  var kernelRelease: String
  /// The sound server.
  var sound: AudioObservation
  var buttons: ButtonFacts
  var soundSettings: SoundSettingFacts
  /// Whether `XDG_RUNTIME_DIR` is set, the folder of the sound server's socket.
  var hasRuntimeFolder: Bool
  var terminal: TerminalFacts
  var locale: LocaleFacts
  var stateFolder: FolderFacts
  /// The facts about LE Audio; `nil` if it was not examined.
  var leAudio: LEAudioFacts?
}

/// The facts on which program handles a headphone's buttons.
public struct ButtonFacts: Hashable, Sendable {
  /// The choice of the configuration.
  public var mode: ButtonMode
  /// The desktop that handles media keys; `nil` if there is none.
  public var desktop: String?

  public init(mode: ButtonMode, desktop: String?) {
    self.mode = mode
    self.desktop = desktop
  }
}

/// The facts on which settings of the sound a person chose, and whether they are applied.
public struct SoundSettingFacts: Hashable, Sendable {
  /// Those of the configuration that a running Earshot applies.
  public var chosen: [SoundSetting]
  /// Whether a screen or an agent runs, which applies them.
  public var isApplied: Bool

  /// The facts that follow from a configuration.
  public init(_ rules: SoundRules, isApplied: Bool) {
    let preferences = [rules.all] + rules.ofHeadphones.map(\.preferences)
    chosen = SoundSetting.allCases.filter { setting in
      setting.scope != .computer
        && preferences.contains { preference in
          preference[setting].map { $0 != setting.standard } ?? false
        }
    }
    self.isApplied = isApplied
  }
}

/// The terminal of this process.
public struct TerminalFacts: Hashable, Sendable {
  /// The value of `TERM`; `nil` if it is not set.
  public var type: String?
  /// Whether the terminfo database has the type or a similar one.
  public var isKnown: Bool
  /// The number of colours according to the database.
  public var colors: Int
  /// The size; `nil` if there is no terminal.
  public var size: Size?

  /// A size in cells.
  public struct Size: Hashable, Sendable {
    /// The width, 0 or more.
    public var columns: Int
    /// The height, 0 or more.
    public var rows: Int

    public init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  public init(type: String?, isKnown: Bool, colors: Int, size: Size?) {
    self.type = type
    self.isKnown = isKnown
    self.colors = colors
    self.size = size
  }
}

/// The locale that the environment selects.
public struct LocaleFacts: Hashable, Sendable {
  /// The name; `nil` if none is set.
  var name: String?
  /// The codeset, for example "UTF-8"; `nil` if the locale is not installed.
  var codeset: String?

  /// Whether characters beyond ASCII may be written.
  public var isUnicode: Bool { codeset == "UTF-8" }
}

/// The condition of the state folder.
struct FolderFacts: Hashable, Sendable {
  /// The path of the folder.
  var path: String
  var condition: Condition
  /// The user ID of this process.
  var user: UInt32 = 0

  /// Whether the folder exists, or can be created.
  enum Condition: Hashable, Sendable {
    /// It does not exist, and will be created when it is needed.
    case canBeMade
    /// It does not exist, and cannot be created.
    case cannotBeMade
    /// It exists, with permission bits such as 0o700.
    case exists(mode: UInt32, isWritable: Bool, isOwn: Bool)
    /// It exists on a disk without room for a file.
    case full
    /// It exists on a disk that takes no changes.
    case readOnly
    /// Its path is taken by something else.
    case notAFolder
  }
}
