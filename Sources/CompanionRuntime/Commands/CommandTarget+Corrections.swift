package import Companion
internal import EventLoop
internal import HeadphoneProtocols

extension CommandTarget {
  package enum CorrectionLink: Hashable, Sendable {
    /// The headphone's equaliser has the correction, or is to have it.
    case needed
    /// The headphone may have bands; without a link, which would tell, this computer corrects.
    case wanted
    case unneeded
  }

  package func correctionLink(for changes: [CorrectionChange]) -> CorrectionLink {
    guard let headphone else { return .needed }
    guard !headphone.isAudioOnly, !headphone.isAdvertisingOnly else { return .unneeded }
    if headphone.correction.choice.before != nil { return .needed }
    var place = headphone.correction.choice.place
    for case .place(let wanted) in changes { place = wanted }
    switch place {
    case .computer: return .unneeded
    case .headphone: return .needed
    case .automatic:
      guard let capabilities = headphone.capabilities else {
        return state.isResident && state.serverRefusal == nil ? .unneeded : .wanted
      }
      return capabilities.eqBands > 0 ? .needed : .unneeded
    }
  }

  /// Returns the current correction of the headphone, looking it up if necessary.
  package func correction() async throws(CommandError) -> CorrectionReport {
    guard let id else { throw .notKnown(selector: nil) }
    await observeAudio()
    store.send(.correction(id, .wanted))
    await first(within: .seconds(2)) { $0.headphones[id]?.correction.match != nil }
    guard let headphone else { throw .notKnown(selector: nil) }
    return CorrectionReport(headphone, in: state)
  }

  /// Changes the correction, and waits until it takes effect; one that cannot is not switched on.
  package func correct(_ changes: [CorrectionChange]) async throws(CommandError) -> CorrectionReport
  {
    _ = try await correction()
    guard let id, let before = headphone else { throw .notKnown(selector: nil) }
    for change in changes { store.send(.correction(id, .changed(change))) }
    await first(within: .seconds(8)) { state in
      guard let headphone = state.headphones[id] else { return true }
      return !headphone.isChanging && !state.correctionStatus(of: headphone).isBeingSet
    }
    guard let headphone else { throw .notKnown(selector: nil) }
    let name = displayable(headphone.name)
    switch state.correctionStatus(of: headphone) {
    case .failed(let why): throw .unavailable("no correction for \(name): \(displayable(why))")
    case .settling(let why):
      throw .unavailable(
        "no correction for \(name) yet: \(displayable(why))\nearshot correction shows it later")
    case .unavailable(let why):
      if !before.correction.choice.isOn { store.send(.correction(id, .changed(.on(false)))) }
      throw .unavailable(
        "no correction for \(name): \(displayable(why))\n\(advice(on: headphone))")
    case .off, .inHeadphone, .overridden, .inUse, .ready, .waiting:
      return CorrectionReport(headphone, in: state)
    }
  }

  private func advice(on headphone: HeadphoneState) -> String {
    guard state.correction(of: headphone) == nil else {
      let hasBands = (headphone.capabilities?.eqBands ?? 0) > 0
      return hasBands && headphone.correction.choice.place == .computer
        ? "earshot correction place auto uses the headphone's own equaliser"
        : "earshot doctor shows the sound server"
    }
    switch headphone.correction.match {
    case .several(let models)?:
      let names = models.prefix(4).map { "\"\(displayable($0.first.name))\"" }
      return "earshot correction use NAME, with \(names.joined(separator: ", "))"
        + "\(models.count > names.count ? ", …" : ""); earshot correction find WORDS"
    case .missing?, .certain?, nil: return "earshot correction find WORDS"
    }
  }
}

extension CorrectionTable {
  /// Returns the entry with this name, or the only one that contains all the words.
  package static func line(named words: String) async throws(CommandError) -> Correction {
    let (exact, found) = await FileIO.shared.run {
      let table = CorrectionTable.bundled()
      return (table.correction(named: words), table.search(words))
    }
    let same = found.filter { $0.name.lowercased() == words.lowercased() }
    if let chosen = exact ?? (same.count == 1 ? same.first : found.count == 1 ? found.first : nil) {
      return chosen
    }
    let few = found.prefix(5).map { "\"\(displayable($0.name))\"" }.joined(separator: ", ")
    throw .unavailable(
      found.isEmpty
        ? "the table has no \"\(displayable(words))\"\nearshot correction find MODEL searches it"
        : "\(found.count) lines have \"\(displayable(words))\"\n"
          + "name one of them whole: \(few)\(found.count > 5 ? ", …" : "")")
  }
}
