package enum AudioObservation: Hashable, Sendable {
  /// The state is unknown now; earlier states no longer hold.
  case unavailable(AudioUnavailable)
  case running(AudioSnapshot)
}

package enum AudioUnavailable: Error, Hashable, Sendable {
  case notStarted
  /// No server listens, for example in a container or over ssh.
  case noServer
  /// The server ended, and the source waits for it to return.
  case serverEnded
  /// The server belongs to another user, or rejected the connection.
  case accessDenied
  /// The server accepted the connection but does not respond.
  case unresponsive
  /// libpulse is not installed or cannot be loaded, in the loader's words.
  case noLibrary(String)
  /// Another failure, in libpulse's words.
  case failed(String)
}
