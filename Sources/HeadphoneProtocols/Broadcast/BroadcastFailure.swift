/// Why a headphone does not listen to a broadcast, by what its receive state shows.
public enum BroadcastFailure: Hashable, Sendable {
  /// It is locked, and there is no code.
  case codeNeeded
  case wrongCode
  /// The headphone did not find it.
  case notFound
  /// The headphone wants the synchronisation to be transferred, which needs an adapter that has it.
  case noTransfer
  /// It found the broadcast, and no sound in it.
  case noSound
  /// It accepted the request, and did nothing.
  case ignored
  /// It has no room for another source.
  case full
  /// Somebody else removed the source.
  case removed
  /// It goes on listening.
  case staysOn
  /// Another request came.
  case superseded
}
