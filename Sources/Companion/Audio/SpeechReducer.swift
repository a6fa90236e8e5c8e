import AudioRoute
import HeadphoneProtocols

/// The volume of a headphone while its wearer speaks.
struct SpeechCare: Hashable, Sendable {
  /// The volume that was lowered; nil: none was.
  var lowered: Lowered?

  /// The volume of an output, before and since.
  struct Lowered: Hashable, Sendable {
    var sink: String
    var before: Int
    var since: Int
  }
}

/// Conversation awareness: music is quieter while the wearer of a headphone speaks.
///
/// The headphone lets the voices in and says when; this computer lowers its own sound, and raises it
/// again unless somebody has changed it meanwhile.
extension State {
  /// The divisor of the volume.
  private static let share = 3
  /// The time within which the end follows a pause: with one bud in it is sometimes not reported.
  private static let pauseTime: Duration = .seconds(6)
  /// The time without any report, as there is none while the wearer speaks on.
  private static let longestTime: Duration = .seconds(300)

  mutating func follow(
    _ speech: Speech, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    switch speech {
    case .began: return lowerSound(of: headphone, at: timestamp)
    case .paused where headphone.care.speech != nil:
      return [.startTimer(.speech(id), .exactly(Self.pauseTime))]
    case .paused: return []
    case .ended: return endSpeech(of: id, at: timestamp)
    }
  }

  /// Lowers the sound that goes to the headphone, once.
  private mutating func lowerSound(
    of headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    let timer = Effect.startTimer(.speech(headphone.id), .exactly(Self.longestTime))
    guard headphone.care.speech == nil else { return [timer] }
    var care = SpeechCare()
    defer { headphones.update(headphone.id) { $0.care.speech = care } }
    guard case .connected(let sink, _) = route(of: headphone), !sink.isMuted else { return [timer] }
    let quiet = sink.volume / Self.share
    guard quiet > 0 else { return [timer] }
    care.lowered = SpeechCare.Lowered(sink: sink.name, before: sink.volume, since: quiet)
    return [timer, .audio(.setVolume(sink: sink.name, percent: quiet))]
      + note(.info, headphone.id, "conversation: volume lowered to \(quiet)%", at: timestamp)
  }

  /// Restores the volume, unless somebody has changed it.
  mutating func endSpeech(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard headphones[id]?.care.speech != nil else { return [] }
    let raised = raiseSound(of: id)
    guard case .audio(.setVolume(_, let percent))? = raised.first else {
      return [.cancelTimer(.speech(id))]
    }
    return [.cancelTimer(.speech(id))] + raised
      + note(.info, id, "conversation over: volume back to \(percent)%", at: timestamp)
  }

  /// Raises the volume that was lowered.
  mutating func raiseSound(of id: HeadphoneID) -> [Effect] {
    let lowered = headphones[id]?.care.speech?.lowered
    headphones.update(id) { $0.care.speech = nil }
    guard let lowered, case .running(let sound) = audio,
      let sink = sound.sinks.first(where: { $0.name == lowered.sink }),
      // The sound server may not have reported the lowered volume yet.
      [lowered.since, lowered.before].contains(sink.volume)
    else { return [] }
    return [.audio(.setVolume(sink: sink.name, percent: lowered.before))]
  }

  /// A headphone whose link has ended reports no end.
  mutating func endSpeechOfAbsent(at timestamp: Timestamp) -> [Effect] {
    headphones.filter { $0.care.speech != nil && !$0.link.isReady }.flatMap {
      endSpeech(of: $0.id, at: timestamp)
    }
  }
}
