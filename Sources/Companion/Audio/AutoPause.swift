/// What happens to the sound when both buds are taken out.
public enum AutoPause: String, Hashable, Sendable, CaseIterable {
  case off
  /// Media players on the session bus are paused (MPRIS), and play again.
  case players
  /// The sound server holds all that plays on the headphone; PulseAudio only.
  case cork
}

/// The sound that was stopped because both buds are out, until one is put back.
public struct SoundPause: Hashable, Sendable {
  /// How the sound was stopped, and so how it goes on.
  public enum Means: Hashable, Sendable {
    case players
    /// The sound server holds what plays on this sink.
    case suspended(sink: String)
  }

  /// The one whose buds are out.
  public var headphone: HeadphoneID
  /// How the sound goes on.
  public var means: Means
}
