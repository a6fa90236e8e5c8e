package import AudioRoute

/// The safe volume of headphones: a ceiling, and the volume at which their sound begins.
extension State {
  /// The number of corrections after which a program that keeps raising the volume has to wait.
  private static let correctionLimit = 20
  private static let correctionSeconds: Int64 = 10

  /// Returns the ceiling in % of the headphone that `sink` belongs to, or nil if it has none.
  package func volumeCeiling(of sink: AudioSink) -> Int? {
    let owner = headphones.first { audioMatch(for: $0)?.sink?.name == sink.name }
    return owner.flatMap { soundRules.number(.ceiling, for: $0) }
  }

  mutating func beginSound(
    of headphone: HeadphoneState, _ match: AudioMatch, at timestamp: Timestamp
  ) -> [Effect] {
    let hasOwn = soundRules.own(of: headphone)?.preferences[.firstVolume] != nil
    // A device matched by name alone may be another one.
    let isNew = !headphone.care.known.hasPlayed && match.isCertain
    let limit = hasOwn || isNew ? soundRules.number(.firstVolume, for: headphone) : nil
    headphones.update(headphone.id) {
      $0.care.volume = VolumeCare()
      $0.care.volume.beginning = limit.map { VolumeCare.Limit(percent: $0, since: timestamp) }
      if match.isCertain { $0.care.known.hasPlayed = true }
    }
    return isNew ? keep(.sound, of: headphone.id) : []
  }

  mutating func keepCeiling(
    of id: HeadphoneID, _ sink: AudioSink, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    let ceiling = soundRules.number(.ceiling, for: headphone)
    let care = headphone.care.volume
    let beginning = care.beginning.flatMap { $0.applies(at: timestamp) ? $0.percent : nil }
    guard !care.isPaused, let limit = [ceiling, beginning].compactMap(\.self).min(),
      sink.volume > limit
    else { return [] }
    let corrections = care.corrections.filter {
      (0..<Self.correctionSeconds * 1000).contains(timestamp.milliseconds - $0.milliseconds)
    }
    guard corrections.count < Self.correctionLimit else {
      headphones.update(id) { $0.care.volume.isPaused = true }
      return [.startTimer(.ceiling(id), .exactly(.seconds(Self.correctionSeconds)))]
        + note(
          .warning, id, "a program keeps raising its volume to \(sink.volume)%", at: timestamp)
    }
    headphones.update(id) {
      $0.care.volume.corrections = corrections + [timestamp]
      $0.care.volume.hasNotified = true
    }
    let effect = Effect.audio(.setVolume(sink: sink.name, percent: limit))
    guard !care.hasNotified else { return [effect] }
    let text =
      limit == beginning
      ? "its sound begins at \(limit)% instead of \(sink.volume)%"
      : "its volume was raised to \(sink.volume)%: put back to its ceiling of \(limit)%"
    return [effect] + say(text, id, naming: true, remedy: .soundSettings, at: timestamp)
  }

  mutating func keepCeilingAgain(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    headphones.update(id) {
      $0.care.volume.corrections = []
      $0.care.volume.isPaused = false
    }
    return careForSound(at: timestamp)
  }
}
