import AudioRoute
import HeadphoneProtocols

extension State {
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

  /// Stores the user's choice, and retries what failed before.
  private mutating func adopt(
    _ change: CorrectionChange, of headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    let id = headphone.id
    let before = headphone.correction.choice
    headphones.update(id) { headphone in
      switch change {
      case .on(let isOn):
        headphone.correction.choice.isOn = isOn
        // A correction that was changed in the headphone is set again.
        if isOn { (headphone.correction.applied, headphone.correction.taken) = (nil, nil) }
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

  private mutating func lookUpCorrection(of headphone: HeadphoneState) -> [Effect] {
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

  mutating func fail(
    _ why: String, _ id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    headphones.update(id) { $0.correction.failure = why }
    return complainOfCorrection(why, id, at: timestamp)
  }

  mutating func complainOfCorrection(
    _ why: String, _ id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    complain(
      "no correction for \(name(of: id)): \(why)",
      advice: "the sound goes on without it; `earshot correction on` tries again", id, at: timestamp
    )
  }

  /// Starts and ends chains, and sets the headphones' own bands, according to the whole state.
  mutating func settleCorrections(at timestamp: Timestamp) -> [Effect] {
    if isResident { followPreferences() }
    guard headphones.contains(where: \.correction.isActive) else { return [] }
    var effects: [Effect] = []
    for id in headphones.map(\.id) {
      guard let headphone = headphones[id], headphone.correction.isActive else { continue }
      if isResident, headphone.correction.choice.isOn {
        effects += lookUpCorrection(of: headphone)
      }
      prepareCorrection(of: headphone)
      effects += settleBands(of: id)
      effects += settleChain(of: id, at: timestamp)
    }
    return effects
  }

  private mutating func followPreferences() {
    for preference in preferences.corrections {
      for headphone in headphones.named(preference.headphone)
      where !headphone.correction.choice.isByHand {
        var choice = preference.choice
        choice.before = headphone.correction.choice.before
        guard choice != headphone.correction.choice else { continue }
        headphones.update(headphone.id) { $0.correction.choice = choice }
      }
    }
  }

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
