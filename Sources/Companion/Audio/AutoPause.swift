/// What happens to playback when both buds are taken out.
///
/// Only playback to that headphone is paused, and only what Earshot paused is resumed.
package enum AutoPause: String, Hashable, Sendable, CaseIterable {
  case off
  /// Media players on the session bus are paused and resumed (MPRIS).
  case players
  /// The sound server suspends the headphone's sink, which only PulseAudio can.
  case cork
}

/// Playback that was paused because both buds are out.
package struct SoundPause: Hashable, Sendable {
  /// The way in which playback was paused, and is resumed.
  package enum Means: Hashable, Sendable {
    case players
    /// The sound server suspended this sink.
    case suspended(sink: String)
  }

  package var headphone: HeadphoneID
  package var means: Means
}
