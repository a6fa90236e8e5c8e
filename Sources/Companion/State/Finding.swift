/// What `earshot doctor` found at one of the things it looks at.
public struct Finding: Hashable, Sendable {
  /// What was looked at.
  public var check: Check
  /// How it is.
  public var state: State
  /// What was seen, lower case and without a full stop; names in it are as others gave them.
  public var what: String
  /// The command that mends it, or what to do in words; nil: nothing is to be done.
  public var remedy: String?

  /// How it is.
  public enum State: String, Hashable, Sendable, CaseIterable {
    case ok
    /// Works, with something missing.
    case warning
    case problem
    /// It cannot be told from here.
    case unknown
  }

  public init(_ check: Check, _ state: State, _ what: String, remedy: String? = nil) {
    self.check = check
    self.state = state
    self.what = what
    self.remedy = remedy
  }
}

/// What the doctor looks at, in the order in which it helps to mend it.
///
/// The raw values are fixed: people script them.
public enum Check: String, Hashable, Sendable, CaseIterable {
  case kernel
  case adapter
  case rfkill
  case power
  case lowEnergy = "low-energy"
  case netRaw = "cap-net-raw"
  case netAdmin = "cap-net-admin"
  case bluetoothd
  case kernelRelease = "kernel-release"
  case soundServer = "sound-server"
  case terminal
  case locale
  case stateFolder = "state-folder"

  /// Whether a problem with it is an adapter's or a permission's, for the exit status.
  public var isAboutRadio: Bool {
    switch self {
    case .kernel, .adapter, .rfkill, .power, .lowEnergy, .netRaw, .netAdmin: true
    case .bluetoothd, .kernelRelease, .soundServer, .terminal, .locale, .stateFolder: false
    }
  }
}
