/// The places where libpulse looks for the server, as far as they are known beforehand.
struct ServerAddress: Hashable {
  var sockets: [String]
  var isLocal: Bool
  /// The user's runtime directory if libpulse uses it; libpulse rejects another user's.
  var runtimeDirectory: String?

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
    // Otherwise libpulse uses a directory under /tmp whose name it chooses.
    isLocal = directory != nil
    sockets = (directory.map { [$0 + "/native"] } ?? []) + ["/var/run/pulse/native"]
  }

  /// Returns the path of "{host}unix:/path", "unix:/path" or "/path", or nil for a host.
  private static func socket(of candidate: Substring) -> String? {
    var candidate = candidate
    if candidate.first == "{", let end = candidate.firstIndex(of: "}") {
      candidate = candidate[candidate.index(after: end)...]
    }
    if candidate.hasPrefix("unix:") { candidate = candidate.dropFirst(5) }
    return candidate.first == "/" ? String(candidate) : nil
  }
}
