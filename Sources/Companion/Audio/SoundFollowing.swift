import AudioRoute
import Bluetooth
import BluetoothCodec

/// What is done to bring the sound of a headphone back by itself.
struct FollowCare: Hashable, Sendable {
  /// Whether the rest is of the last action: it was there, and the configuration named it.
  var isFollowed = false
  /// Whether its control link was ready after the last action.
  var wasReady = false
  /// Whether it had a sink after the last action.
  var hadSink = false
  /// When its sink came; nil: it has none, or had one at the start.
  var arrival: Timestamp?
  /// The output that the sound fell back to when the sink went.
  var fallback: String?
  /// Whether an attempt is due when its timer fires.
  var isAwaited = false
  /// Whether an attempt is under way.
  var isTrying = false
  /// Whether the sink came by an attempt.
  var isOwnSuccess = false
  var lastAttempt: Timestamp?
  /// The attempts without success since the last one with it.
  var failures = 0
  /// When this machine ended its link, by which its sound counts as disconnected; nil: it did not.
  var endedHere: Timestamp?
}

/// The sound that comes back by itself.
///
/// | what happens | what follows |
/// | --- | --- |
/// | the control link is ready, and 5 s later there is no sound | one attempt to connect it |
/// | the sound server or bluetoothd is back while it is ready | the same |
/// | the headphone's sink comes back, and the sound was there | the sound moves there |
/// | the sound goes while the control link stays | nothing: a person or a phone took it |
/// | a person disconnects it here, or it leaves right after an attempt | nothing, until its sound comes again or a person asks |
/// | an attempt fails | nothing until one of the first two; a minute later at the earliest, then 2, 4 … 32 |
extension State {
  /// The time in which servers choose their output after a sink has come.
  private static let arrivalSeconds: Int64 = 5
  /// The time within which a headphone that leaves has refused.
  private static let refusalSeconds: Int64 = 10

  /// Follows the sound of those headphones that the configuration names; called after each action.
  mutating func followSounds(since action: Action, at timestamp: Timestamp) -> [Effect] {
    guard appliesSoundRules, followsSounds || soundRules.mayFollow else { return [] }
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
    // What is there at the start is as the person, or the server, has it.
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
        // Another output than the one that it fell back to, which is still there: a person's choice.
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
    // Without a control link of its own it cannot show that it is near: the start is a sign enough.
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

  /// The sink of a headphone has come: the sound that was there moves back.
  private mutating func welcomeSound(
    _ sink: AudioSink, of id: HeadphoneID, _ care: inout SoundCare, at timestamp: Timestamp
  ) -> [Effect] {
    care.known.isDeclined = false
    care.follow.arrival = timestamp
    care.follow.isOwnSuccess = care.follow.isTrying
    care.follow.isTrying = false
    care.follow.failures = 0
    care.follow.fallback = nil
    // An attempt that was to bring it has moved it already.
    guard care.known.wasHere, !care.follow.isOwnSuccess, output?.name != sink.name else {
      return []
    }
    return [.audio(.route(sink: sink.name))]
      + note(.info, id, "the sound is back on it", at: timestamp)
  }

  /// The sink of a headphone has gone; one that leaves right after an attempt has refused.
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
      && headphone.publicAddress != nil && headphone.pairing.step == nil
  }

  private mutating func stopAwaiting(_ id: HeadphoneID) -> [Effect] {
    headphones.update(id) { $0.care.follow.isAwaited = false }
    return [.cancelTimer(.follow(id))]
  }

  /// An attempt is due: bluetoothd and the sound server have not connected it by themselves.
  mutating func trySound(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id], headphone.care.follow.isAwaited else { return [] }
    headphones.update(id) { $0.care.follow.isAwaited = false }
    guard canTry(headphone, headphone.care), audioMatch(for: headphone)?.sink == nil,
      let address = headphone.publicAddress
    else { return [] }
    headphones.update(id) {
      $0.care.follow.isTrying = true
      $0.care.follow.lastAttempt = timestamp
      $0.care.follow.failures += 1
      $0.isSoundWanted = $0.care.known.wasHere
      $0.isSoundProfileTried = false
    }
    return note(.info, id, "connecting its sound by itself", at: timestamp)
      + [.connectSound(id, address: address)]
  }

  /// An attempt without success; nothing but the log says so.
  mutating func endAttempt(of id: HeadphoneID, _ why: String, at timestamp: Timestamp) -> [Effect] {
    headphones.update(id) {
      $0.care.follow.isTrying = false
      $0.isSoundWanted = false
    }
    return note(.info, id, "its sound did not connect by itself: \(why)", at: timestamp)
  }

  /// The time around a suspend in which the kernel ends all links, and reports it.
  private static let suspendSeconds: Int64 = 30

  /// The computer was asleep: what ended a headphone's link right before was no person.
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

  /// Whether the computer slept a moment ago: the end of a link may be reported only now.
  private func isJustAwake(at timestamp: Timestamp) -> Bool {
    lastWoke.map { timestamp.seconds(since: $0) <= Self.suspendSeconds } == true
  }

  /// A person has disconnected the sound of a headphone here.
  mutating func declineSound(of id: HeadphoneID) -> [Effect] {
    headphones.update(id) {
      $0.care.known.isDeclined = true
      $0.care.follow.endedHere = nil
    }
    return keep(.sound, of: id)
  }
}

extension SoundRules {
  /// Whether the sound of some headphone is to come back by itself.
  fileprivate var mayFollow: Bool {
    ([all] + ofHeadphones.map(\.preferences)).contains { $0[.following] == .word("follow") }
  }
}

extension FollowCare {
  /// The time until the next attempt: at most one a minute, and fewer after failures.
  fileprivate func delay(at timestamp: Timestamp) -> Duration {
    let usual = Duration.seconds(5)
    guard let lastAttempt else { return usual }
    let pause = Int64(60) << min(max(0, failures - 1), 5)
    return max(usual, .seconds(pause - timestamp.seconds(since: lastAttempt)))
  }
}

extension Timestamp {
  /// The whole seconds since an earlier one; a clock that was set back counts as none.
  fileprivate func seconds(since earlier: Timestamp) -> Int64 {
    max(0, (milliseconds - earlier.milliseconds) / 1000)
  }
}

extension LinkState {
  /// Whether another program of this machine, or a person with its help, has ended it.
  fileprivate var endedHere: Bool {
    switch self {
    case .unwanted(.disconnected(.localHost)): true
    case .reconnecting(let retry): retry.after == .localHost
    default: false
    }
  }
}
