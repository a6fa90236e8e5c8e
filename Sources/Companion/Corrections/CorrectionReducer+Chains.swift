import AudioRoute
import HeadphoneProtocols

/// Corrections on this computer, as filter-chains of the sound server.
extension State {
  private func wantedChain(of headphone: HeadphoneState) -> CorrectionChain? {
    let correction = headphone.correction
    guard correction.choice.isOn, correction.failure == nil,
      correctionPlace(of: headphone) == .computer, chainRefusal(of: headphone) == nil,
      let sink = audioMatch(for: headphone)?.sink, let curve = correction.prepared?.curve
    else { return nil }
    return CorrectionChain(
      target: sink.name, slot: CorrectionChain.slot(after: correction.slot),
      description: "\(name(of: headphone.id)), corrected", curve: curve)
  }

  /// Starts, replaces and ends the chain of a headphone.
  ///
  /// A chain is up once the server has its sink, as a child process may run without one. For
  /// another curve, the sound moves to another chain before the old one ends, so that there is no
  /// gap.
  mutating func settleChain(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    var correction = headphone.correction
    let wanted = wantedChain(of: headphone)
    var effects: [Effect] = []
    defer { headphones.update(id) { $0.correction = correction } }
    let wasAwaited = correction.isAwaited

    if let running = correction.chain, running.chain.target != wanted?.target {
      effects += end([running, correction.next].compactMap(\.self), of: id)
      (correction.chain, correction.next) = (nil, nil)
      // The headphone's sink, and the chain with it, goes at every disconnection.
      correction.attempts = 0
    }
    guard let wanted else { return effects }
    effects += follow(\.chain, in: &correction, of: id)
    effects += follow(\.next, in: &correction, of: id)
    if let next = correction.next, next.isUp,
      correctionSinks.defaultSink == next.chain.name || !isSound(onTarget: next.chain)
    {
      if let old = correction.chain {
        effects.append(.correction(.end(id, slot: old.chain.slot)))
      }
      (correction.chain, correction.next) = (next, nil)
    }
    if correction.chain == nil {
      // The next chain takes its place.
      (correction.chain, correction.next) = (correction.next, nil)
    }
    guard let running = correction.chain else {
      guard correction.attempts < Self.mostAttempts else {
        let why = "PipeWire ended its output \(correction.attempts) times"
        correction.failure = why
        return effects + complainOfCorrection(why, id, at: timestamp)
      }
      correction.chain = start(wanted, in: &correction)
      return effects + [.correction(.start(id, wanted)), Self.limitCorrection(of: id)]
    }
    guard !running.isAwaited, correction.next == nil, running.chain.curve != wanted.curve else {
      if wasAwaited, !correction.isAwaited { effects.append(.cancelTimer(.correction(id))) }
      return effects
    }
    correction.next = start(wanted, in: &correction)
    return effects + [.correction(.start(id, wanted)), Self.limitCorrection(of: id)]
  }

  /// The time limit for a chain's sink to appear, or for the sound to go through it.
  private static func limitCorrection(of id: HeadphoneID) -> Effect {
    .startTimer(.correction(id), .exactly(.seconds(5)))
  }

  /// The number of restarts without a command after a chain has ended.
  private static let mostAttempts = 3

  private func start(
    _ chain: CorrectionChain, in correction: inout CorrectionState
  ) -> RunningChain {
    correction.slot = chain.slot
    return RunningChain(chain: chain, isStale: correctionSinks.names.contains(chain.name))
  }

  private func isSound(onTarget chain: CorrectionChain) -> Bool {
    guard case .running(let sound) = audio else { return false }
    return sound.defaultSink == chain.target
  }

  /// Follows the sink of a chain, and sends the headphone's sound through it once it is up.
  ///
  /// Sound that the user moved out of the chain stays out until it goes to the headphone again.
  private mutating func follow(
    _ path: WritableKeyPath<CorrectionState, RunningChain?>, in correction: inout CorrectionState,
    of id: HeadphoneID
  ) -> [Effect] {
    guard var running = correction[keyPath: path] else { return [] }
    let isThere = correctionSinks.names.contains(running.chain.name)
    if !isThere { running.isStale = false }
    if running.isUp, !isThere {
      correction[keyPath: path] = nil
      correction.attempts += 1
      return [.correction(.end(id, slot: running.chain.slot))]
    }
    var effects: [Effect] = []
    if !running.isUp, isThere, !running.isStale {
      running.isUp = true
    }
    let isThrough = correctionSinks.defaultSink == running.chain.name
    if isThrough || !isSound(onTarget: running.chain) {
      (running.hadSound, running.requests) = (running.isUp && isThrough, 0)
    } else if running.isUp, !running.hadSound, running.requests == 0 {
      running.requests = 1
      effects = [Self.limitCorrection(of: id), .audio(.route(sink: running.chain.name))]
    }
    correction[keyPath: path] = running
    return effects
  }

  private func end(_ chains: [RunningChain], of id: HeadphoneID) -> [Effect] {
    chains.flatMap { running -> [Effect] in
      var effects: [Effect] = [.correction(.end(id, slot: running.chain.slot))]
      if correctionSinks.defaultSink == running.chain.name, case .running(let sound) = audio,
        sound.sink(named: running.chain.target) != nil
      {
        effects.insert(.audio(.route(sink: running.chain.target)), at: 0)
      }
      return effects
    } + [.cancelTimer(.correction(id))]
  }

  mutating func follow(
    endOf slot: Int, _ why: String, of headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    let id = headphone.id
    var isOurs = false
    headphones.update(id) { headphone in
      for path in [\CorrectionState.chain, \.next]
      where headphone.correction[keyPath: path]?.chain.slot == slot {
        headphone.correction[keyPath: path] = nil
        headphone.correction.attempts += 1
        isOurs = true
      }
    }
    guard isOurs else { return [] }
    let text = "the correction ended: \(why)"
    guard let attempts = headphones[id]?.correction.attempts, attempts >= Self.mostAttempts else {
      return note(.warning, id, text, at: timestamp)
    }
    return fail(why, id, at: timestamp) + [.cancelTimer(.correction(id))]
  }

  mutating func awaitCorrection(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    // A sink that never disappeared was replaced by another of the same name.
    headphones.update(id) {
      $0.correction.chain?.isStale = false
      $0.correction.next?.isStale = false
    }
    guard let headphone = headphones[id] else { return [] }
    let waiting = [headphone.correction.chain, headphone.correction.next].compactMap(\.self)
      .filter { !$0.isUp && !correctionSinks.names.contains($0.chain.name) }
    guard !waiting.isEmpty else { return sendAgainThroughCorrection(of: id, at: timestamp) }
    headphones.update(id) { headphone in
      for path in [\CorrectionState.chain, \.next]
      where waiting.contains(where: { $0 == headphone.correction[keyPath: path] }) {
        headphone.correction[keyPath: path] = nil
      }
      headphone.correction.attempts += 1
    }
    let effects = waiting.map { Effect.correction(.end(id, slot: $0.chain.slot)) }
    guard let attempts = headphones[id]?.correction.attempts, attempts >= Self.mostAttempts else {
      // The computer was busy, or the session manager did not know the headphone's sink yet.
      return effects
        + note(.warning, id, "PipeWire made no output for the correction in 5 s", at: timestamp)
    }
    return effects
      + fail("PipeWire made no output for it, \(attempts) times in 5 s", id, at: timestamp)
  }

  /// Sends the sound through its chain once more before the correction counts as failed.
  ///
  /// It goes to the headphone's sink first, since PipeWire reports a default to its session manager
  /// only if it has changed.
  private mutating func sendAgainThroughCorrection(
    of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    for path in [\CorrectionState.chain, \.next] {
      guard let running = headphones[id]?.correction[keyPath: path], running.requests > 0 else {
        continue
      }
      guard running.requests < Self.mostRequests else {
        return fail("PipeWire does not send the sound through it", id, at: timestamp)
      }
      headphones.update(id) { $0.correction[keyPath: path]?.requests += 1 }
      return [
        .audio(.route(sink: running.chain.target)), .audio(.route(sink: running.chain.name)),
        Self.limitCorrection(of: id),
      ]
        + note(
          .warning, id, "the sound did not go through the correction: sending it there again",
          at: timestamp)
    }
    return []
  }

  private static let mostRequests = 2
}
