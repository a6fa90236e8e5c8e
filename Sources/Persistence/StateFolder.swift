internal import Glibc

/// Where the program keeps what it learns: `$XDG_STATE_HOME/earshot`.
public struct StateFolder: Hashable, Sendable {
  /// The folder itself; it need not be there yet.
  public var path: String

  public init(path: String) { self.path = path }

  /// The folder of this user.
  ///
  /// A relative `XDG_STATE_HOME` is ignored, as the XDG Base Directory Specification says.
  public init(environment: (String) -> String? = variable) {
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      path = "\(state)/earshot"
    } else {
      path = "\(environment("HOME") ?? "/")/.local/state/earshot"
    }
  }

  /// A file in it.
  public func file(_ name: String) -> PrivateFile { PrivateFile(path: "\(path)/\(name)") }
}

/// A variable of the environment; nil: not set or empty.
public func variable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
