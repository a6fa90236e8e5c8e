public import Companion
internal import EventLoop
internal import HeadphoneProtocols

/// What `earshot correction` does.
extension CommandTarget {
  /// Whether a change of the correction needs the control link.
  public enum CorrectionLink: Hashable, Sendable {
    /// The headphone's own equaliser has it, or is to have it.
    case needed
    /// The headphone may have bands of its own, which is not known yet; without the link it is corrected here.
    case wanted
    case unneeded
  }

  /// Whether a change of the correction needs the control link, by what is known of the headphone.
  ///
  /// - Parameter changes: what is to be changed.
  public func correctionLink(for changes: [CorrectionChange]) -> CorrectionLink {
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
        return state.runsCorrections ? .unneeded : .wanted
      }
      return capabilities.eqBands > 0 ? .needed : .unneeded
    }
  }

  /// The correction of the headphone as it is, once it was looked up.
  ///
  /// - Throws: ``CommandError/notKnown(selector:)`` if there is no headphone.
  public func correction() async throws(CommandError) -> CorrectionReport {
    guard let id else { throw .notKnown(selector: nil) }
    await observeAudio()
    store.send(.correction(id, .wanted))
    await first(within: .seconds(2)) { $0.headphones[id]?.correction.match != nil }
    guard let headphone else { throw .notKnown(selector: nil) }
    return CorrectionReport(headphone, in: state)
  }

  /// Changes what is wanted of the correction, and waits until it is heard or will not be.
  ///
  /// - Throws: ``CommandError/unavailable(_:)`` where it failed.
  public func correct(_ changes: [CorrectionChange]) async throws(CommandError) -> CorrectionReport
  {
    _ = try await correction()
    guard let id else { throw .notKnown(selector: nil) }
    for change in changes { store.send(.correction(id, .changed(change))) }
    await first(within: .seconds(8)) { state in
      guard let headphone = state.headphones[id] else { return true }
      return !headphone.isChanging && !state.correctionStatus(of: headphone).isBeingSet
    }
    guard let headphone else { throw .notKnown(selector: nil) }
    if case .failed(let why) = state.correctionStatus(of: headphone) {
      throw .unavailable("no correction for \(displayable(headphone.name)): \(displayable(why))")
    }
    return CorrectionReport(headphone, in: state)
  }
}

extension CorrectionTable {
  /// The line of the table that a name means: the whole name, or words that one line alone has.
  ///
  /// - Throws: `CommandError/unavailable(_:)` with the lines that it may be.
  public static func line(named words: String) async throws(CommandError) -> Correction {
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
