internal import AudioRoute
internal import BluetoothLinux

/// All that the doctor judges by, as it was at one moment.
struct SystemFacts: Hashable, Sendable {
  var bluetooth: BluetoothSurvey
  /// From `--adapter`.
  var wantedAdapter: String?
  /// Nil: the kernel does not tell.
  var rights: ProcessRights?
  /// As `uname -r` says it.
  var kernelRelease: String
  var sound: AudioObservation
  /// `XDG_RUNTIME_DIR` is set, where the sound server of this user is.
  var hasRuntimeFolder: Bool
  var terminal: TerminalFacts
  var locale: LocaleFacts
  var stateFolder: FolderFacts
}

/// The terminal that the program was started in.
public struct TerminalFacts: Hashable, Sendable {
  /// From `TERM`; nil: not set.
  public var type: String?
  /// Whether the terminfo database knows the type, or one like it.
  public var isKnown: Bool
  /// How many, as the database says.
  public var colors: Int
  /// Nil: there is no terminal.
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

/// In which characters the program may write.
public struct LocaleFacts: Hashable, Sendable {
  /// From the environment; nil: none is set.
  var name: String?
  /// "UTF-8"; nil: this machine has no such locale.
  var codeset: String?

  /// Whether characters beyond ASCII may be written.
  public var isUnicode: Bool { codeset == "UTF-8" }
}

/// A folder of the program's.
struct FolderFacts: Hashable, Sendable {
  var path: String
  var condition: Condition

  enum Condition: Hashable, Sendable {
    /// It will be made when something is to be kept.
    case canBeMade
    case cannotBeMade
    /// Permission bits, for example 0o700.
    case exists(mode: UInt32, isWritable: Bool, isOwn: Bool)
    case notAFolder
  }
}
