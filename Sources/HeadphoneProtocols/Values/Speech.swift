/// The voice of the wearer, as a headphone hears it that lowers its sound for a conversation.
public enum Speech: Hashable, Sendable, CaseIterable {
  /// The wearer speaks, or speaks again.
  case began
  /// The wearer is silent, and may go on.
  case paused
  /// The conversation is over.
  case ended
}
