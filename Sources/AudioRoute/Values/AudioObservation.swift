/// The state of the sound server, or why it is unknown.
public enum AudioObservation: Hashable, Sendable {
  /// Unknown now; earlier states no longer hold.
  case unavailable(AudioUnavailable)
  /// The complete state, after each change.
  case running(AudioSnapshot)
}

/// Why nothing is known about the sound.
public enum AudioUnavailable: Error, Hashable, Sendable {
  /// Observation has not started.
  case notStarted
  /// No server listens, for example in a container or over ssh.
  case noServer
  /// The server ended; it is looked for again.
  case serverEnded
  /// The server is another user's, or turned the connection down.
  case accessDenied
  /// The server took the connection and says nothing.
  case unresponsive
  /// Another failure, in the library's words.
  case failed(String)
}
