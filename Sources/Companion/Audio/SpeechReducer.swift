import AudioRoute
import HeadphoneProtocols

struct SpeechCare: Hashable, Sendable {
  var lowered: Lowered?

  struct Lowered: Hashable, Sendable {
    var sink: String
    var before: Int
    var since: Int
  }

  struct Raised: Hashable, Sendable {
    var lowered: Lowered
    var time: Timestamp
  }
}

/// Conversation awareness: music is quieter while the wearer speaks.
///
/// The headphone lets voices through and reports speech. This computer lowers its volume, and
/// raises it afterwards unless it was changed meanwhile.
extension State {
  private static let share = 3
  /// The time after a pause at which speech ends: with one bud in, the end is sometimes not
  /// reported.
  private static let pauseTime: Duration = .seconds(6)
  /// The longest time without a report, as none is sent while the wearer keeps speaking.
  private static let longestTime: Duration = .seconds(300)
  /// The time in milliseconds in which the sound server may still report the lowered volume.
  private static let reportTime: Int64 = 3000

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

  private mutating func lowerSound(
    of headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    let timer = Effect.startTimer(.speech(headphone.id), .exactly(Self.longestTime))
    guard headphone.care.speech == nil else { return [timer] }
    var care = SpeechCare()
    defer { headphones.update(headphone.id) { $0.care.speech = care } }
    guard case .connected(let sink, _) = route(of: headphone), !sink.isMuted else { return [timer] }
    var volume = sink.volume
    if let raised = headphone.care.raised, raised.lowered.sink == sink.name,
      raised.lowered.since == volume,
      timestamp.milliseconds - raised.time.milliseconds < Self.reportTime
    {
      volume = raised.lowered.before
    }
    let quiet = volume / Self.share
    guard quiet > 0 else { return [timer] }
    care.lowered = SpeechCare.Lowered(sink: sink.name, before: volume, since: quiet)
    return [timer, .audio(.setVolume(sink: sink.name, percent: quiet))]
      + note(.info, headphone.id, "conversation: volume lowered to \(quiet)%", at: timestamp)
  }

  mutating func endSpeech(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard headphones[id]?.care.speech != nil else { return [] }
    let raised = raiseSound(of: id, at: timestamp)
    guard case .audio(.setVolume(_, let percent))? = raised.first else {
      return [.cancelTimer(.speech(id))]
    }
    return [.cancelTimer(.speech(id))] + raised
      + note(.info, id, "conversation over: volume back to \(percent)%", at: timestamp)
  }

  mutating func raiseSound(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    let lowered = headphones[id]?.care.speech?.lowered
    headphones.update(id) { $0.care.speech = nil }
    guard let lowered, case .running(let sound) = audio,
      let sink = sound.sinks.first(where: { $0.name == lowered.sink }),
      // The sound server may not have reported the lowered volume yet.
      [lowered.since, lowered.before].contains(sink.volume)
    else { return [] }
    headphones.update(id) { $0.care.raised = .init(lowered: lowered, time: timestamp) }
    return [.audio(.setVolume(sink: sink.name, percent: lowered.before))]
  }

  mutating func endSpeechOfAbsent(at timestamp: Timestamp) -> [Effect] {
    headphones.filter { $0.care.speech != nil && !$0.link.isReady }.flatMap {
      endSpeech(of: $0.id, at: timestamp)
    }
  }
}
