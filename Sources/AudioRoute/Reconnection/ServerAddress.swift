/// The places where libpulse looks for the server, as far as they are known beforehand.
struct ServerAddress: Hashable {
  /// The paths of the Unix sockets among the candidates.
  var sockets: [String]
  /// Whether all candidates are such sockets.
  var isLocal: Bool
  /// The user's runtime directory, if libpulse uses it; libpulse rejects that of another user.
  var runtimeDirectory: String?

  /// The candidates in libpulse's own order: the given server, `PULSE_SERVER`,
  /// `PULSE_RUNTIME_PATH`, `XDG_RUNTIME_DIR`.
  ///
  /// - Parameters:
  ///   - server: in the form of `PULSE_SERVER`; `nil` if not given.
  ///   - environment: the value of a variable; `nil` or empty if not set.
  init(server: String?, environment: (String) -> String?) {
    func variable(_ name: String) -> String? {
      environment(name).flatMap { $0.isEmpty ? nil : $0 }
    }
    if let server = server ?? variable("PULSE_SERVER") {
      let candidates = server.split(separator: " ").map(ServerAddress.socket(of:))
      sockets = candidates.compactMap(\.self)
      isLocal = !candidates.contains(nil)
      return
    }
    let pulseDirectory = variable("PULSE_RUNTIME_PATH")
    if pulseDirectory == nil { runtimeDirectory = variable("XDG_RUNTIME_DIR") }
    let directory = pulseDirectory ?? runtimeDirectory.map { $0 + "/pulse" }
    // Else libpulse takes a directory under /tmp that it names itself.
    isLocal = directory != nil
    sockets = (directory.map { [$0 + "/native"] } ?? []) + ["/var/run/pulse/native"]
  }

  /// The path of a local address; `nil` for a host.
  ///
  /// "{host}unix:/path", "unix:/path" and "/path" are local, anything else is a host.
  private static func socket(of candidate: Substring) -> String? {
    var candidate = candidate
    if candidate.first == "{", let end = candidate.firstIndex(of: "}") {
      candidate = candidate[candidate.index(after: end)...]
    }
    if candidate.hasPrefix("unix:") { candidate = candidate.dropFirst(5) }
    return candidate.first == "/" ? String(candidate) : nil
  }
}
