internal import AudioRoute
internal import BluetoothLinux

/// Everything the checks depend on, as it was at one moment.
struct SystemFacts: Hashable, Sendable {
  var bluetooth: BluetoothSurvey
  /// The name given by `--adapter`.
  var wantedAdapter: String?
  /// Nil if /proc does not show it.
  var rights: ProcessRights?
  /// The output of `uname -r`.
  var kernelRelease: String
  var sound: AudioObservation
  /// Whether `XDG_RUNTIME_DIR` is set, the folder of the sound server's socket.
  var hasRuntimeFolder: Bool
  var terminal: TerminalFacts
  var locale: LocaleFacts
  var stateFolder: FolderFacts
}

/// The terminal of this process.
public struct TerminalFacts: Hashable, Sendable {
  /// The value of `TERM`; nil if it is not set.
  public var type: String?
  /// Whether the terminfo database has the type or a similar one.
  public var isKnown: Bool
  /// The number of colours according to the database.
  public var colors: Int
  /// Nil if there is no terminal.
  public var size: Size?

  /// In cells.
  public struct Size: Hashable, Sendable {
    /// 0 or more.
    public var columns: Int
    /// 0 or more.
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

/// The locale of the environment.
public struct LocaleFacts: Hashable, Sendable {
  /// The name; nil if none is set.
  var name: String?
  /// Such as "UTF-8"; nil if the locale is not installed.
  var codeset: String?

  /// Whether characters beyond ASCII may be written.
  public var isUnicode: Bool { codeset == "UTF-8" }
}

/// The state folder.
struct FolderFacts: Hashable, Sendable {
  var path: String
  var condition: Condition
  /// The identifier of the user that the program runs as.
  var user: UInt32 = 0

  enum Condition: Hashable, Sendable {
    /// It does not exist, and will be made when it is needed.
    case canBeMade
    case cannotBeMade
    /// Permission bits, for example 0o700.
    case exists(mode: UInt32, isWritable: Bool, isOwn: Bool)
    case notAFolder
  }
}
