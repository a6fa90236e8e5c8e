import AudioRoute
import HeadphoneProtocols

/// The correction of a headphone: what a person wants, and what follows from it.
extension State {
  /// Something about a headphone's correction has happened; what follows is settled by
  /// ``settleCorrections(at:)``.
  mutating func follow(
    _ event: CorrectionEvent, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    switch event {
    case .changed(let change): return adopt(change, of: headphone, at: timestamp)
    case .wanted: return lookUpCorrection(of: headphone)
    case .found(let match, let names):
      guard names == headphone.correction.lookedUp else { return [] }
      headphones.update(id) { ($0.correction.match, $0.correction.isLooking) = (match, false) }
      guard headphone.correction.choice.isOn, headphone.correction.choice.file == nil else {
        return []
      }
      switch match {
      case .certain: return []
      case .several, .missing:
        return say(
          "no correction of the table is certainly this headphone's: choose one", id,
          remedy: .correction, at: timestamp)
      }
    case .searched(let search):
      headphones.update(id) { $0.correction.search = search }
      if page.kind == .correction { page = page.with(line: firstCorrectionLine(of: id)) }
      return search.found.isEmpty
        ? explain("the table has no \"\(search.text)\"", id, at: timestamp) : []
    case .fileRead(let path, let curve):
      guard headphone.correction.choice.file == path else { return [] }
      headphones.update(id) {
        $0.correction.fileCurve = curve
        $0.correction.prepared = nil
      }
      return curve.omissions.flatMap { note(.info, id, "correction: \($0)", at: timestamp) }
    case .fileRejected(let path, let reason):
      guard headphone.correction.choice.file == path else { return [] }
      return fail("\(path): \(reason)", id, at: timestamp)
    case .chainEnded(let slot, let why):
      return follow(endOf: slot, why, of: headphone, at: timestamp)
    }
  }

  /// What a person wants is kept, and whatever went wrong before is tried again.
  private mutating func adopt(
    _ change: CorrectionChange, of headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    let id = headphone.id
    let before = headphone.correction.choice
    headphones.update(id) { headphone in
      switch change {
      case .on(let isOn):
        headphone.correction.choice.isOn = isOn
        // A correction that was changed by hand in the headphone is set again.
        if isOn { headphone.correction.applied = nil }
      case .line(let name):
        (headphone.correction.choice.name, headphone.correction.choice.file) = (name, nil)
      case .file(let path):
        headphone.correction.choice.file = path
        headphone.correction.readFile = nil
      case .strength(let percent):
        headphone.correction.choice.strength = min(max(0, percent), 100)
      case .bass(let gain):
        headphone.correction.choice.bass = gain.limited(to: CorrectionChoice.mostBass)
      case .place(let place): headphone.correction.choice.place = place
      case .comparing: break
      }
      if case .comparing(let isComparing) = change {
        headphone.correction.isComparing = isComparing
      } else {
        headphone.correction.isComparing = false
      }
      if case .comparing = change {} else { headphone.correction.choice.isByHand = true }
      headphone.correction.failure = nil
      headphone.correction.attempts = 0
    }
    guard let changed = headphones[id] else { return [] }
    let effects = lookUpCorrection(of: changed)
    return changed.correction.choice == before
      ? effects : effects + keep(.correction, of: id)
  }

  /// Looks a headphone up, unless that was done by the names that it has now.
  fileprivate mutating func lookUpCorrection(of headphone: HeadphoneState) -> [Effect] {
    let correction = headphone.correction
    var effects: [Effect] = []
    if let file = correction.choice.file, correction.readFile != file {
      headphones.update(headphone.id) {
        $0.correction.readFile = file
        $0.correction.fileCurve = nil
        $0.correction.prepared = nil
      }
      effects.append(.correction(.read(headphone.id, path: file)))
    }
    let own = [headphone.information.model, headphone.name].compactMap(\.self).filter {
      !$0.isEmpty
    }
    let names = correction.choice.name.map { [$0] } ?? own
    guard !names.isEmpty, names != correction.lookedUp else { return effects }
    headphones.update(headphone.id) {
      ($0.correction.lookedUp, $0.correction.isLooking) = (names, true)
    }
    let maker = [headphone.information.manufacturer, headphone.driver].compactMap(\.self)
    return effects + [
      .correction(.find(headphone.id, names: names, maker: maker.joined(separator: " ")))
    ]
  }

  /// It is not applied, and the sound goes on without it.
  private mutating func fail(
    _ why: String, _ id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    headphones.update(id) { $0.correction.failure = why }
    return complainOfCorrection(why, id, at: timestamp)
  }

  private mutating func complainOfCorrection(
    _ why: String, _ id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    complain(
      "no correction for \(name(of: id)): \(why)",
      advice: "the sound goes on without it; `earshot correction on` tries again", id, at: timestamp
    )
  }

  // MARK: What is heard

  /// The correction in force, by the noise mode; nil: none is certain, or it was not looked up.
  public func correction(of headphone: HeadphoneState) -> Correction? {
    let correction = headphone.correction
    if let file = correction.choice.file {
      return correction.fileCurve.map { Correction(name: file, curve: $0) }
    }
    guard case .certain(let model)? = correction.match else { return nil }
    if let name = correction.choice.name,
      let chosen = model.corrections.first(where: { $0.name == name }),
      chosen.isConditional
        || !model.hasModes
    {
      return chosen
    }
    return model.correction(in: headphone.anc.confirmed)
  }

  /// Where a correction is to be applied; nil: not known yet.
  public func correctionPlace(of headphone: HeadphoneState) -> CorrectionChoice.Place? {
    switch headphone.correction.choice.place {
    case .headphone: return .headphone
    case .computer: return .computer
    case .automatic:
      if let capabilities = headphone.capabilities {
        return capabilities.eqBands > 0 ? .headphone : .computer
      }
      return headphone.link.isBusy ? nil : .computer
    }
  }

  /// Whether the correction of a headphone is heard now.
  public func correctionStatus(of headphone: HeadphoneState) -> CorrectionStatus {
    let correction = headphone.correction
    guard correction.choice.isOn else { return .off }
    if let failure = correction.failure { return .failed(failure) }
    if correction.isLooking { return .settling("it is being looked up") }
    guard self.correction(of: headphone) != nil else {
      if correction.choice.file != nil { return .settling("the file is being read") }
      switch correction.match {
      case nil where !runsCorrections && correction.lookedUp.isEmpty:
        return .waiting("it is heard while the screen or `earshot agent` runs")
      case nil, .certain?: return .settling("it is being looked up")
      case .several?:
        return .waiting("several models of the table may be this headphone: choose one")
      case .missing?: return .waiting("the table does not have this headphone")
      }
    }
    switch correctionPlace(of: headphone) {
    case nil: return .settling("the headphone is being connected")
    case .headphone?, .automatic?:
      guard headphone.capabilities.map({ $0.eqBands > 0 }) != false else {
        return .failed("this headphone has no bands of its own")
      }
      guard headphone.link.isReady, let applied = correction.applied else {
        return .waiting("the headphone is not connected")
      }
      guard headphone.bands.pending == nil else { return .settling("the headphone is being set") }
      let isThere = headphone.bands.confirmed == applied && headphone.presetToCome == .custom
      return isThere ? .inHeadphone : .overridden
    case .computer?:
      if let why = chainRefusal(of: headphone) { return .waiting(why) }
      guard let chain = correction.chain, chain.isUp else {
        return .settling("it is being started")
      }
      if correctionSinks.defaultSink == chain.chain.name
        || correctionSinks.defaultSink == correction.next?.chain.name
      {
        return .inUse
      }
      let isSent = chain.requests > 0 || correction.next.map { $0.requests > 0 } == true
      return isSent ? .settling("the sound is being sent through it") : .ready
    }
  }

  /// Why there can be no chain now, in words; nil: there can.
  private func chainRefusal(of headphone: HeadphoneState) -> String? {
    guard runsCorrections else { return "it is heard while the screen or `earshot agent` runs" }
    switch audio {
    case .unavailable(let reason): return reason.displayText
    case .running(let sound):
      guard sound.isPipeWire else {
        return "\(sound.serverName) cannot correct on this computer: PipeWire can, "
          + "or the headphone's own equaliser where it has one"
      }
      guard let sink = audioMatch(for: headphone)?.sink else { return "its sound is not connected" }
      return sink.bluetooth?.profile == .handsFree ? "calls are not corrected" : nil
    }
  }

  // MARK: Settling

  /// What follows from the whole state: chains start and end, and own bands are set.
  mutating func settleCorrections(at timestamp: Timestamp) -> [Effect] {
    if runsCorrections { followPreferences() }
    guard headphones.contains(where: \.correction.isActive) else { return [] }
    var effects: [Effect] = []
    for id in headphones.map(\.id) {
      guard let headphone = headphones[id], headphone.correction.isActive else { continue }
      if runsCorrections, headphone.correction.choice.isOn {
        effects += lookUpCorrection(of: headphone)
      }
      prepareCorrection(of: headphone)
      effects += settleBands(of: id)
      effects += settleChain(of: id, at: timestamp)
    }
    return effects
  }

  /// What the configuration wants of headphones for which nothing was chosen by hand.
  private mutating func followPreferences() {
    for preference in correctionPreferences {
      for headphone in headphones.named(preference.headphone)
      where !headphone.correction.choice.isByHand {
        var choice = preference.choice
        choice.before = headphone.correction.choice.before
        guard choice != headphone.correction.choice else { continue }
        headphones.update(headphone.id) { $0.correction.choice = choice }
      }
    }
  }

  /// Computes the curve once for all that it depends on.
  private mutating func prepareCorrection(of headphone: HeadphoneState) {
    let wanted = headphone.correction.choice
    guard wanted.isOn, let correction = correction(of: headphone) else {
      headphones.update(headphone.id) { $0.correction.prepared = nil }
      return
    }
    let source = PreparedCorrection.Source(
      name: correction.name, strength: wanted.strength, bass: wanted.bass,
      isComparing: headphone.correction.isComparing,
      bands: headphone.capabilities.flatMap { EQBands($0) })
    guard headphone.correction.prepared?.source != source else { return }
    let prepared = PreparedCorrection(correction, source)
    headphones.update(headphone.id) { $0.correction.prepared = prepared }
  }

  /// The headphone's own equaliser gets the correction, and what it had before when that ends.
  private mutating func settleBands(of id: HeadphoneID) -> [Effect] {
    guard let headphone = headphones[id], headphone.link.isReady,
      headphone.capabilities.map({ $0.eqBands > 0 }) == true
    else { return [] }
    let correction = headphone.correction
    guard correction.choice.isOn, correctionPlace(of: headphone) == .headphone else {
      guard let before = correction.choice.before else { return [] }
      headphones.update(id) { ($0.correction.choice.before, $0.correction.applied) = (nil, nil) }
      let isOverridden = correction.applied.map { headphone.bands.shown != $0 } ?? false
      let effects = isOverridden ? [] : restore(before, on: headphone)
      return effects + keep(.correction, of: id)
    }
    guard let gains = correction.prepared?.fit?.gains, gains != correction.applied else {
      return []
    }
    var effects: [Effect] = []
    // Without what it has now, that could not be given back.
    guard
      correction.choice.before != nil || headphone.bands.confirmed != nil
        || headphone.presetToCome != nil
    else { return [] }
    let isOverridden = correction.applied.map { headphone.bands.shown != $0 } ?? false
    guard !isOverridden else { return [] }
    headphones.update(id) {
      $0.correction.applied = gains
      if $0.correction.choice.before == nil {
        $0.correction.choice.before = EQSound(preset: $0.presetToCome, gains: $0.bands.shown)
      }
    }
    if correction.choice.before == nil { effects += keep(.correction, of: id) }
    guard headphone.bands.shown != gains || headphone.presetToCome != .custom else {
      return effects
    }
    return effects + want(gains.settingValue, of: .equaliserBands, on: id)
  }

  private mutating func restore(_ sound: EQSound, on headphone: HeadphoneState) -> [Effect] {
    let count = headphone.capabilities?.eqBands ?? 0
    let flat = Array(repeating: BandGain.flat, count: count)
    let gains = sound.gains.flatMap { $0.count == count ? $0 : nil } ?? flat
    var effects = want(gains.settingValue, of: .equaliserBands, on: headphone.id)
    if let preset = sound.preset, preset != .custom {
      effects += want(preset.settingValue, of: .equaliserPreset, on: headphone.id)
    }
    return effects
  }

  /// The chain that there should be now; nil: none.
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
  /// A chain counts as up once the server has its sink: a child process lives on without one. Another curve gets a chain
  /// of its own, and the sound moves there before the old one ends, so that nothing is missing in between.
  private mutating func settleChain(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    var correction = headphone.correction
    let wanted = wantedChain(of: headphone)
    var effects: [Effect] = []
    defer { headphones.update(id) { $0.correction = correction } }
    let wasAwaited = correction.isAwaited

    if let running = correction.chain, running.chain.target != wanted?.target {
      effects += end([running, correction.next].compactMap(\.self), of: id)
      (correction.chain, correction.next) = (nil, nil)
      // The sound ends a chain with every connection.
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
      // What was to take its place does so.
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

  /// The time in which the server should have a chain's sink, or the sound should go through it.
  private static func limitCorrection(of id: HeadphoneID) -> Effect {
    .startTimer(.correction(id), .exactly(.seconds(5)))
  }

  /// How often a chain is started again by itself.
  private static let mostAttempts = 3

  private func start(
    _ chain: CorrectionChain, in correction: inout CorrectionState
  ) -> RunningChain {
    correction.slot = chain.slot
    return RunningChain(chain: chain, isStale: correctionSinks.names.contains(chain.name))
  }

  /// Whether the sound goes to the headphone itself, past a chain.
  private func isSound(onTarget chain: CorrectionChain) -> Bool {
    guard case .running(let sound) = audio else { return false }
    return sound.defaultSink == chain.target
  }

  /// Follows the sink of a chain: gone, the chain is, too; up, the sound that is on the headphone is sent through it.
  ///
  /// Sound that a person took out of the chain stays out of it until it comes to the headphone again.
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

  /// Ends chains; the sound that goes through one goes to the headphone first, if that is still there.
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

  /// A child ended by itself: it is started again, a few times.
  private mutating func follow(
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

  /// The time in which the server should have a chain's sink, or the sound should go through it, is over.
  mutating func awaitCorrection(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    // A sink that never seemed to be away was replaced by one of its name.
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
      // A busy machine is late, or its session manager did not know the headphone's sink yet.
      return effects
        + note(.warning, id, "PipeWire made no output for the correction in 5 s", at: timestamp)
    }
    return effects
      + fail("PipeWire made no output for it, \(attempts) times in 5 s", id, at: timestamp)
  }

  /// The second request for sound that did not go through its chain; after that the correction has failed.
  ///
  /// It goes by way of the headphone's own sink, because PipeWire reports to its session manager only a default that
  /// differs from the one before.
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

  /// Requests to send the sound through a chain, at most.
  private static let mostRequests = 2

  /// The state of the sound server, in which the sinks of corrections are apart from the others.
  mutating func adoptWithoutCorrections(_ observation: AudioObservation) {
    switch observation {
    case .unavailable: (audio, correctionSinks) = (observation, CorrectionSinks())
    case .running(let sound):
      let (seen, sinks) = sound.withoutCorrections()
      (audio, correctionSinks) = (.running(seen), sinks)
    }
  }
}

extension PreparedCorrection {
  init(_ correction: Correction, _ source: Source) {
    let adjusted = correction.curve.adjusted(
      strength: source.strength, bass: source.bass.decibels)
    let curve = source.isComparing ? adjusted.uncorrected : adjusted
    self.init(
      source: source, curve: curve, fit: source.bands.map { EQFit(curve, to: $0) })
  }
}
