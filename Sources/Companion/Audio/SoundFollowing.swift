import AudioRoute
import BluetoothCodec
import BluetoothRadio

struct FollowCare: Hashable, Sendable {
  /// Whether the other properties are those after the last action rather than initial ones.
  var isFollowed = false
  var wasReady = false
  var hadSink = false
  /// The time at which the sink appeared; nil without a sink or if it existed at the start.
  var arrival: Timestamp?
  /// The output that the sound fell back to when the sink disappeared.
  var fallback: String?
  var isAwaited = false
  var isTrying = false
  var isOwnSuccess = false
  /// The time of the last attempt; nil once the sink has appeared.
  var lastAttempt: Timestamp?
  var failures = 0
  /// The time at which this computer ended the link, which counts as disconnecting the sound.
  var endedHere: Timestamp?
}

/// Reconnection of headphones' sound.
///
/// | event | reaction |
/// | --- | --- |
/// | the link is ready, and 5 s later there is no sound | one attempt to connect the sound |
/// | the sound server or bluetoothd returns while the link is ready | the same |
/// | the headphone's sink returns, and the sound was there | the sound moves there |
/// | the sound goes while the control link stays | nothing: the user or a phone took it |
/// | the user disconnects the sound | nothing until it returns or is requested |
/// | the sound leaves right after an attempt | the same |
/// | an attempt fails | nothing until one of the first two, after 1, 2, 4 … 32 minutes |
extension State {
  /// The time in which servers choose their output after a sink has appeared.
  private static let arrivalSeconds: Int64 = 5
  /// The time after an attempt within which a headphone that leaves counts as refusing.
  private static let refusalSeconds: Int64 = 10

  mutating func followSounds(since action: Action, at timestamp: Timestamp) -> [Effect] {
    guard isResident, followsSounds || soundRules.mayFollow else { return [] }
    followsSounds = soundRules.mayFollow
    let isServerRunning = if case .running = audio { true } else { false }
    let isAvailable = if case .ready = adapter { isServerRunning } else { false }
    let isFirst = isServerRunning && !wasServerRunning
    defer {
      wasServerRunning = isServerRunning
      wasSoundAvailable = isAvailable
    }
    let isBack =
      isAvailable && (!wasSoundAvailable || action == .deviceNews(.bluetoothdStarted))
    var effects: [Effect] = []
    for headphone in headphones {
      guard soundRules.word(.following, for: headphone) == "follow" else {
        if headphone.care.follow.isAwaited { effects += stopAwaiting(headphone.id) }
        if headphone.care.follow.isFollowed {
          headphones.update(headphone.id) { $0.care.follow = FollowCare() }
        }
        continue
      }
      effects += follow(headphone, isFirst: isFirst, isBack: isBack, at: timestamp)
    }
    return effects
  }

  private mutating func follow(
    _ headphone: HeadphoneState, isFirst: Bool, isBack: Bool, at timestamp: Timestamp
  ) -> [Effect] {
    let id = headphone.id
    let before = headphone.care
    var care = before
    let isReady = headphone.link.isReady
    let sink = audioMatch(for: headphone)?.sink
    var effects: [Effect] = []
    // The state at the start is the choice of the user or the server.
    let isBaseline = isFirst || !before.follow.isFollowed
    care.follow.isFollowed = true
    if before.follow.wasReady, !isReady, headphone.link.endedHere, !isJustAwake(at: timestamp) {
      if !care.known.isDeclined { care.follow.endedHere = timestamp }
      care.known.isDeclined = true
      effects += note(.info, id, "its sound is left alone: it was disconnected here", at: timestamp)
    }
    if case .running(let sound) = audio {
      if let sink {
        if !before.follow.hadSink, !isBaseline {
          effects += welcomeSound(sink, of: id, &care, at: timestamp)
        }
        let isHere = sound.defaultSink == sink.name
        let isSettled =
          care.follow.arrival.map { timestamp.seconds(since: $0) >= Self.arrivalSeconds } ?? true
        if isHere || isSettled { care.known.wasHere = isHere }
      } else {
        if before.follow.hadSink { effects += missSound(of: id, &care, at: timestamp) }
        // If the fallback still exists, another output is the user's choice.
        if let output, output.name != care.follow.fallback {
          if let fallback = care.follow.fallback, sound.sink(named: fallback) != nil {
            care.known.wasHere = false
          }
          care.follow.fallback = output.name
        }
      }
      care.follow.hadSink = sink != nil
    }
    care.follow.wasReady = isReady
    // A headphone without a control link cannot show that it is near, so the start counts.
    let isNear = isReady || headphone.address.kind == .classic && care.known.wasHere
    let isTriggered = isNear && (isBack || isReady && !before.follow.wasReady)
    headphones.update(id) { $0.care = care }
    if sink != nil || !isNear {
      if care.follow.isAwaited { effects += stopAwaiting(id) }
    } else if isTriggered, !care.follow.isAwaited, canTry(headphone, care) {
      headphones.update(id) { $0.care.follow.isAwaited = true }
      effects.append(.startTimer(.follow(id), .exactly(care.follow.delay(at: timestamp))))
    }
    if care.known != before.known { effects += keep(.sound, of: id) }
    return effects
  }

  private mutating func welcomeSound(
    _ sink: AudioSink, of id: HeadphoneID, _ care: inout SoundCare, at timestamp: Timestamp
  ) -> [Effect] {
    care.known.isDeclined = false
    care.follow.arrival = timestamp
    care.follow.isOwnSuccess = care.follow.isTrying
    care.follow.isTrying = false
    care.follow.failures = 0
    care.follow.lastAttempt = nil
    care.follow.fallback = nil
    // An attempt to bring the sound has moved it already.
    guard care.known.wasHere, !care.follow.isOwnSuccess, output?.name != sink.name else {
      return []
    }
    return [.audio(.route(sink: sink.name))]
      + note(.info, id, "the sound is back on it", at: timestamp)
  }

  /// Handles the end of the sink; a headphone that leaves right after an attempt has refused.
  private mutating func missSound(
    of id: HeadphoneID, _ care: inout SoundCare, at timestamp: Timestamp
  ) -> [Effect] {
    defer {
      care.follow.arrival = nil
      care.follow.isOwnSuccess = false
    }
    guard care.follow.isOwnSuccess, let arrival = care.follow.arrival,
      timestamp.seconds(since: arrival) < Self.refusalSeconds
    else { return [] }
    care.known.isDeclined = true
    return note(
      .notice, id, "it ended its sound at once: another device has it, o tries again", at: timestamp
    )
  }

  private func canTry(_ headphone: HeadphoneState, _ care: SoundCare) -> Bool {
    guard case .running = audio, case .ready(let adapter) = adapter, !adapter.isVirtual else {
      return false
    }
    return !care.known.isDeclined && !care.follow.isTrying && !headphone.isSoundWanted
      && headphone.soundAddress != nil && headphone.pairing.step == nil
  }

  private mutating func stopAwaiting(_ id: HeadphoneID) -> [Effect] {
    headphones.update(id) { $0.care.follow.isAwaited = false }
    return [.cancelTimer(.follow(id))]
  }

  mutating func trySound(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id], headphone.care.follow.isAwaited else { return [] }
    headphones.update(id) { $0.care.follow.isAwaited = false }
    guard canTry(headphone, headphone.care), audioMatch(for: headphone)?.sink == nil,
      let address = headphone.soundAddress
    else { return [] }
    headphones.update(id) {
      $0.care.follow.isTrying = true
      $0.care.follow.lastAttempt = timestamp
      $0.care.follow.failures += 1
      $0.isSoundWanted = $0.care.known.wasHere
      $0.soundAttempt = .link
    }
    return note(.info, id, "connecting its sound automatically", at: timestamp)
      + [.connectSound(id, address: address)]
  }

  mutating func endAttempt(of id: HeadphoneID, _ why: String, at timestamp: Timestamp) -> [Effect] {
    headphones.update(id) {
      $0.care.follow.isTrying = false
      $0.isSoundWanted = false
    }
    return note(.info, id, "its sound did not connect automatically: \(why)", at: timestamp)
  }

  /// The time around a suspend in which the kernel ends all links and reports it.
  private static let suspendSeconds: Int64 = 30

  /// Handles a resume: links that ended right before the suspend were not ended by the user.
  mutating func wake(after asleep: Duration, at timestamp: Timestamp) -> [Effect] {
    lastWoke = timestamp
    var effects = note(.info, nil, "awake after \(asleep.components.seconds) s", at: timestamp)
    for headphone in headphones {
      guard let end = headphone.care.follow.endedHere else { continue }
      headphones.update(headphone.id) { $0.care.follow.endedHere = nil }
      guard timestamp.seconds(since: end) - asleep.components.seconds <= Self.suspendSeconds else {
        continue
      }
      headphones.update(headphone.id) { $0.care.known.isDeclined = false }
      effects += note(
        .info, headphone.id, "its link ended because the computer slept", at: timestamp)
      effects += keep(.sound, of: headphone.id)
    }
    return effects
  }

  private func isJustAwake(at timestamp: Timestamp) -> Bool {
    lastWoke.map { abs(timestamp.milliseconds - $0.milliseconds) <= Self.suspendSeconds * 1000 }
      == true
  }

  mutating func leaveSoundHere() -> [Effect] {
    headphones.flatMap { headphone -> [Effect] in
      guard headphone.care.known.wasHere, audioMatch(for: headphone)?.sink == nil else { return [] }
      headphones.update(headphone.id) { $0.care.known.wasHere = false }
      return keep(.sound, of: headphone.id)
    }
  }

  mutating func declineSound(of id: HeadphoneID) -> [Effect] {
    headphones.update(id) {
      $0.care.known.isDeclined = true
      $0.care.follow.endedHere = nil
    }
    return keep(.sound, of: id)
  }
}

extension SoundRules {
  fileprivate var mayFollow: Bool {
    ([all] + ofHeadphones.map(\.preferences)).contains { $0[.following] == .word("follow") }
  }
}

extension FollowCare {
  /// Returns 5 s or, after failures, the rest of 1, 2, 4 … 32 minutes since the last attempt.
  fileprivate func delay(at timestamp: Timestamp) -> Duration {
    let usual = Duration.seconds(5)
    guard let lastAttempt else { return usual }
    let pause = Int64(60) << min(max(0, failures - 1), 5)
    return max(usual, .seconds(pause - timestamp.seconds(since: lastAttempt)))
  }
}

extension Timestamp {
  fileprivate func seconds(since earlier: Timestamp) -> Int64 {
    max(0, (milliseconds - earlier.milliseconds) / 1000)
  }
}

extension LinkState {
  fileprivate var endedHere: Bool {
    switch self {
    case .unwanted(.disconnected(.localHost)): true
    case .reconnecting(let retry): retry.after == .localHost
    default: false
    }
  }
}
