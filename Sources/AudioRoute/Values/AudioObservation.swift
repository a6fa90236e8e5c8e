/// What the sound server tells, or why it tells nothing.
public enum AudioObservation: Hashable, Sendable {
  /// Nothing is known now; what was told before holds no longer.
  case unavailable(AudioUnavailable)
  /// All that is known of the server, anew with each change.
  case running(AudioSnapshot)
}

/// Why nothing is known about the sound.
public enum AudioUnavailable: Error, Hashable, Sendable {
  /// Nobody has asked yet.
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
