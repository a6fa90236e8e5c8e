/// A reason why a headphone does not listen to a broadcast, according to its receive state.
public enum BroadcastFailure: Hashable, Sendable {
  /// The broadcast is locked, and there is no code.
  case codeNeeded
  case wrongCode
  case notFound
  /// The headphone needs a transfer of the synchronisation (PAST), which the adapter must support.
  case noTransfer
  /// The headphone found the broadcast, but no sound in it.
  case noSound
  /// The headphone accepted the request, but did nothing.
  case ignored
  /// The headphone has no room for another source.
  case full
  /// Another device removed the source.
  case removed
  /// The headphone keeps listening, although it was told to leave.
  case staysOn
  /// Another request replaced this one.
  case superseded
}
