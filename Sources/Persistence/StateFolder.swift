internal import Glibc

/// The folder of the program's state: `$XDG_STATE_HOME/earshot`.
package struct StateFolder: Hashable, Sendable {
  package var path: String

  package init(path: String) { self.path = path }

  /// Creates the folder of this user, ignoring a relative `XDG_STATE_HOME` (XDG Base Directory).
  package init(environment: (String) -> String? = variable) {
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      path = "\(state)/earshot"
    } else {
      path = "\(environment("HOME") ?? "/")/.local/state/earshot"
    }
  }

  package func file(_ name: String) -> PrivateFile { PrivateFile(path: "\(path)/\(name)") }
}

/// Returns an environment variable, or nil if it is not set or empty.
package func variable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
}
