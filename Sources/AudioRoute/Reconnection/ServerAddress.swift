/// The address at which libpulse looks for the server, as far as it is known beforehand.
struct ServerAddress: Hashable {
  /// Paths of the sockets of this machine among the candidates.
  var sockets: [String]
  /// Whether the candidates are these sockets and no others.
  var isLocal: Bool
  /// The user's runtime directory, where libpulse goes by it and warns if it is another user's.
  var runtimeDirectory: String?

  /// - Parameters:
  ///   - server: as `PULSE_SERVER` has it; nil: not given.
  ///   - environment: the value of a variable; nil or empty: not set.
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

  /// Parses one address: "{host}unix:/path", "unix:/path" and "/path" are sockets, all else is a
  /// host.
  private static func socket(of candidate: Substring) -> String? {
    var candidate = candidate
    if candidate.first == "{", let end = candidate.firstIndex(of: "}") {
      candidate = candidate[candidate.index(after: end)...]
    }
    if candidate.hasPrefix("unix:") { candidate = candidate.dropFirst(5) }
    return candidate.first == "/" ? String(candidate) : nil
  }
}
