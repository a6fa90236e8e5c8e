/// The effect on playback of taking both buds out.
///
/// Only playback to that headphone is paused, and only what Earshot paused is resumed.
package enum AutoPause: String, Hashable, Sendable, CaseIterable {
  case off
  /// Media players on the session bus are paused and resumed (MPRIS).
  case players
  /// The sound server suspends the headphone's sink, which only PulseAudio can.
  case cork
}

package struct SoundPause: Hashable, Sendable {
  package enum Means: Hashable, Sendable {
    case players
    case suspended(sink: String)
  }

  package var headphone: HeadphoneID
  package var means: Means
}
