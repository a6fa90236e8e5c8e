/// A reason why a headphone does not play a broadcast, according to its receive state.
public enum BroadcastFailure: Hashable, Sendable {
  case codeNeeded
  case wrongCode
  case notFound
  /// The headphone needs a sync transfer (PAST), which the adapter must support.
  case noTransfer
  case noSound
  /// The headphone accepted the request, but did nothing.
  case ignored
  case full
  case removed
  /// The headphone keeps listening, although it was told to leave.
  case staysOn
  case superseded
}
