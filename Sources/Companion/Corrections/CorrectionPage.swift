import HeadphoneProtocols

extension UserCommand {
  package static let correction = UserCommand(
    "correction", keys: ["K"], "measured correction: make this headphone neutral", label: "Correct",
    availability: { $0.headphones.selected == nil ? $0.notConnected : .available }
  ) { $0.openCorrection(at: $1) }
}

package enum CorrectionLine: Hashable, Sendable {
  case isOn, place, strength, bass
  case correction(Correction?)
}

extension PageKind {
  package static let correction = PageKind(
    "Correction",
    commands: [
      PageCommand(.left, "less; off", currentLabel: { $0.labelForChanging }) {
        $0.turnCorrection(by: -1, at: $1)
      },
      PageCommand(.right, "more; on", currentLabel: { $0.labelForChanging }) {
        $0.turnCorrection(by: 1, at: $1)
      },
      PageCommand(.lower, "less; off") { $0.turnCorrection(by: -1, at: $1) },
      PageCommand(.raise, "more; on") { $0.turnCorrection(by: 1, at: $1) },
      PageCommand(
        .accept, "on or off; use the line of the table",
        currentLabel: { $0.labelForUsing }
      ) { $0.acceptCorrection(at: $1) },
      PageCommand(
        .compare, "compare with the uncorrected sound, as loud",
        currentLabel: { $0.headphones.selected?.correction.choice.isOn == true ? "Compare" : nil }
      ) { $0.compareCorrection(at: $1) },
      PageCommand(.filter, "search the whole table", label: "Search") {
        $0.askForCorrection(at: $1)
      },
      PageCommand(.importPreset, "use a file of your own", label: "File") {
        $0.askForCorrectionFile(at: $1)
      },
      PageCommand(.correction, "close the page") { state, _ in
        state.page = .main
        return []
      },
    ]
      + PageCommand.lines.filter { ![.filter, .nextMatch, .previousMatch].contains($0.command) },
    lines: { state in
      state.correctionLines.map { line in
        if case .correction(let correction) = line {
          PageLine(correction?.displayText ?? "automatic", copied: correction?.name)
        } else {
          PageLine("", copied: nil)
        }
      }
    })
}

extension TextEntry.Purpose {
  package static func findCorrection(_ id: HeadphoneID) -> Self {
    Self("SEARCH ALL CORRECTIONS", "A maker, a model, who measured it; in any order.", of: id) {
      state, entry, _ in state.findCorrection(from: entry, for: id)
    }
  }
  package static func correctionFile(_ id: HeadphoneID) -> Self {
    Self("CORRECTION OF YOUR OWN", filterFile, of: id, isPath: true) {
      $0.useCorrectionFile(from: $1, for: id, at: $2)
    }
  }
}

extension State {
  /// The settings, then the lines of the table to choose from.
  package var correctionLines: [CorrectionLine] {
    [.isOn, .place, .strength, .bass] + correctionChoices.map(CorrectionLine.correction)
  }

  private var correctionChoices: [Correction?] {
    guard let correction = headphones.selected?.correction else { return [] }
    if let search = correction.search { return [nil] + search.found }
    switch correction.match {
    case .certain(let model)?: return [nil] + model.corrections
    case .several(let models)?: return models.flatMap(\.corrections)
    case .missing?, nil: return []
    }
  }

  func firstCorrectionLine(of id: HeadphoneID) -> Int {
    headphones.selected?.id == id ? min(4, max(0, correctionLines.count - 1)) : 0
  }

  fileprivate var correctionLine: CorrectionLine? {
    page.line.flatMap { correctionLines.element(at: bounded($0)) }
  }

  fileprivate var labelForChanging: String? {
    switch correctionLine {
    case .isOn, .place, .strength, .bass: "Change"
    case .correction, nil: nil
    }
  }

  fileprivate var labelForUsing: String? {
    switch correctionLine {
    case .isOn, .place: return "Use"
    case .correction(let correction):
      let wanted = headphones.selected?.correction.choice
      let isUsed = wanted?.isOn == true && wanted?.file == nil && wanted?.name == correction?.name
      return isUsed ? nil : "Use"
    case .strength, .bass, nil: return nil
    }
  }

  fileprivate mutating func openCorrection(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return noteNotConnected(at: timestamp) }
    page = .correction(line: 0)
    headphones.update(headphone.id) { $0.correction.search = nil }
    return follow(.wanted, of: headphone.id, at: timestamp)
  }

  fileprivate mutating func turnCorrection(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, let line = correctionLine else { return [] }
    let wanted = headphone.correction.choice
    let change: CorrectionChange
    switch line {
    case .isOn: change = .on(step > 0)
    case .place:
      let places = CorrectionChoice.Place.allCases
      let place = (places.firstIndex(of: wanted.place) ?? 0) + step + places.count
      change = .place(places[place % places.count])
    case .strength: change = .strength(wanted.strength + 5 * step)
    case .bass:
      change = .bass(BandGain(decibels: wanted.bass.decibels + 0.5 * Double(step)))
    case .correction: return []
    }
    return follow(.changed(change), of: headphone.id, at: timestamp)
  }

  fileprivate mutating func acceptCorrection(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return noteNotConnected(at: timestamp) }
    switch correctionLine {
    case .isOn:
      return follow(
        .changed(.on(!headphone.correction.choice.isOn)), of: headphone.id, at: timestamp)
    case .correction(let correction):
      return follow(.changed(.line(correction?.name)), of: headphone.id, at: timestamp)
        + follow(.changed(.on(true)), of: headphone.id, at: timestamp)
    case .place: return turnCorrection(by: 1, at: timestamp)
    case .strength, .bass, nil: return []
    }
  }

  fileprivate mutating func compareCorrection(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return noteNotConnected(at: timestamp) }
    guard headphone.correction.choice.isOn else {
      return explain("the correction is off", headphone.id, at: timestamp)
    }
    let isComparing = !headphone.correction.isComparing
    return follow(.changed(.comparing(isComparing)), of: headphone.id, at: timestamp)
      + say(
        isComparing ? "without the correction, as loud" : "with the correction", headphone.id,
        at: timestamp)
  }

  fileprivate mutating func askForCorrection(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return noteNotConnected(at: timestamp) }
    dialog = .entry(
      TextEntry(.findCorrection(headphone.id), text: headphone.correction.search?.text ?? ""))
    return []
  }

  fileprivate mutating func askForCorrectionFile(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return noteNotConnected(at: timestamp) }
    dialog = .entry(
      TextEntry(.correctionFile(headphone.id), text: headphone.correction.choice.file ?? ""))
    return []
  }

  fileprivate mutating func findCorrection(from entry: TextEntry, for id: HeadphoneID) -> [Effect] {
    dialog = nil
    let text = entry.text.trimmed
    guard !text.isEmpty else {
      headphones.update(id) { $0.correction.search = nil }
      return []
    }
    return [.correction(.search(id, text))]
  }

  fileprivate mutating func useCorrectionFile(
    from entry: TextEntry, for id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    dialog = nil
    let path = entry.text.withoutQuotes
    guard !path.isEmpty else { return [] }
    return follow(.changed(.file(path)), of: id, at: timestamp)
      + follow(.changed(.on(true)), of: id, at: timestamp)
  }
}

/// Gains in dB without the preamp, in equal steps of pitch from 20 Hz to 20 kHz.
package struct CorrectionCurves: Hashable, Sendable {
  package var wanted: [Double]
  package var bands: [Double]?
}

extension State {
  package func correctionCurves(of headphone: HeadphoneState, count: Int) -> CorrectionCurves? {
    guard let curve = correctionCurve(of: headphone) else { return nil }
    let frequencies = ParametricEQ.frequencies(count: count)
    var bands: [Double]?
    if correctionPlace(of: headphone) == .headphone,
      let own = headphone.capabilities.flatMap({ EQBands($0) })
    {
      let fit = EQFit(curve, to: own)
      bands = frequencies.map { fit.drawn(at: $0, own) - curve.preamp }
    }
    return CorrectionCurves(
      wanted: curve.response(at: frequencies).map { $0 - curve.preamp }, bands: bands)
  }

  package func measuredCorrection(
    of headphone: HeadphoneState, at frequencies: [Double]
  ) -> [Double]? {
    guard let curve = correctionCurve(of: headphone) else { return nil }
    return curve.response(at: frequencies).map { $0 - curve.preamp }
  }

  private func correctionCurve(of headphone: HeadphoneState) -> ParametricEQ? {
    let wanted = headphone.correction.choice
    return correction(of: headphone)?.curve
      .adjusted(strength: wanted.strength, bass: wanted.bass.decibels)
  }

  /// Returns descriptions of how the headphone's own bands deviate from the correction.
  package func correctionLosses(of headphone: HeadphoneState) -> [String] {
    guard correctionPlace(of: headphone) == .headphone else { return [] }
    let correction = headphone.correction
    let isRounded = correction.taken.map { $0 != correction.applied } ?? false
    return (correction.prepared?.fit?.losses ?? [])
      + (isRounded ? ["the headphone rounded the gains once more"] : [])
  }
}

extension CorrectionStatus {
  package var displayText: String {
    switch self {
    case .off: "off"
    case .inHeadphone: "in the headphone's own equaliser"
    case .overridden: "changed since in the headphone's equaliser; switch it on again"
    case .inUse: "the sound goes through it"
    case .ready: "ready, the sound goes elsewhere"
    case .waiting(let why), .settling(let why): "not yet: \(displayable(why))"
    case .unavailable(let why): "no: \(displayable(why))"
    case .failed(let why): "failed: \(displayable(why))"
    }
  }

  /// The stable names of the states in JSON.
  package enum Name: String, Hashable, Sendable, CaseIterable {
    case off, headphone, overridden, computer, ready, waiting, failed
  }

  package var name: Name {
    switch self {
    case .off: .off
    case .inHeadphone: .headphone
    case .overridden: .overridden
    case .inUse: .computer
    case .ready: .ready
    case .waiting, .settling, .unavailable: .waiting
    case .failed: .failed
    }
  }
}
