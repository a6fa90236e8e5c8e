/// The treatment of playback when both buds are taken out.
///
/// Set by `--auto-pause` or the configuration. Playback is only touched while it goes to that
/// headphone, and is resumed only if Earshot paused it.
public enum AutoPause: String, Hashable, Sendable, CaseIterable {
  case off
  /// Media players on the session bus are paused (MPRIS), and play again.
  case players
  /// The sound server suspends the headphone's sink; PulseAudio only.
  case cork
}

/// The playback that was paused because both buds are out.
public struct SoundPause: Hashable, Sendable {
  /// The means by which playback was paused, and is resumed.
  public enum Means: Hashable, Sendable {
    case players
    /// The sound server suspended this sink.
    case suspended(sink: String)
  }

  /// The headphone whose buds are out.
  public var headphone: HeadphoneID
  /// The means by which playback resumes.
  public var means: Means
}
