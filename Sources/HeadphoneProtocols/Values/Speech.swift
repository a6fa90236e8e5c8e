/// The voice of the wearer, as reported by a headphone with conversation awareness.
public enum Speech: Hashable, Sendable, CaseIterable {
  /// The wearer starts or continues to speak.
  case began
  /// The wearer is silent, but may continue to speak.
  case paused
  /// The conversation is over.
  case ended
}
