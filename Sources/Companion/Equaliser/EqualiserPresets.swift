package import HeadphoneProtocols

extension TextEntry.Purpose {
  package static func saveEQ(_ gains: [BandGain]) -> Self {
    Self("SAVE THE EQUALISER AS", presetName, of: gains) { state, entry, _ in
      state.save(gains, as: entry)
    }
  }
  package static func renameEQ(_ old: String) -> Self {
    Self("RENAME THE PRESET", presetName, of: old) { state, entry, _ in state.rename(old, as: entry)
    }
  }
  package static func importEQ(_ id: HeadphoneID) -> Self {
    Self("IMPORT AN EQUALISER", filterFile, of: id, isPath: true) { state, entry, _ in
      state.importEQ(from: entry, for: id)
    }
  }

  private static let presetName = "A name for it, kept on this computer."
  static let filterFile = "Path to a ParametricEQ.txt or GraphicEQ.txt."
}

extension Question.Subject {
  package static func replaceEQ(_ saved: SavedEQ) -> Self {
    Self(
      "Replace the preset?", no: "Keep", yes: "Replace", of: saved,
      text: { _ in "A preset \"\(saved.name)\" exists. Replace it? Its gains are lost." }
    ) { _, _ in [.changeEQs(.keep(saved))] }
  }
  package static func deleteEQ(name: String) -> Self {
    Self(
      "Delete the preset?", no: "Keep", yes: "Delete", of: name,
      text: { _ in
        "Delete the preset \"\(name)\"? Its gains are lost; the headphone keeps what it has now."
      }
    ) { _, _ in [.changeEQs(.delete(name))] }
  }
}

extension State {
  mutating func askForPresetName(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, headphone.capabilities?.eqBands ?? 0 > 0 else {
      return explain("this headphone has no custom equaliser", at: timestamp)
    }
    dialog = .entry(TextEntry(.saveEQ(headphone.gainsToEdit)))
    return headphone.warningBeforeSaving.map { explain($0, headphone.id, at: timestamp) } ?? []
  }

  fileprivate mutating func save(_ gains: [BandGain], as entry: TextEntry) -> [Effect] {
    let name = entry.text.trimmed
    if let complaint = SavedEQ.complaint(about: name) { return complain(complaint, in: entry) }
    let saved = SavedEQ(name: name, gains: gains)
    guard !savedEQs.contains(where: { $0.name == name }) else {
      dialog = .question(Question(.replaceEQ(saved)))
      return []
    }
    dialog = nil
    return [.changeEQs(.keep(saved))]
  }

  fileprivate mutating func rename(_ old: String, as entry: TextEntry) -> [Effect] {
    let name = entry.text.trimmed
    if let complaint = SavedEQ.complaint(about: name) { return complain(complaint, in: entry) }
    guard name != old else {
      dialog = nil
      return []
    }
    guard !savedEQs.contains(where: { $0.name == name }) else {
      return complain("a preset with this name already exists", in: entry)
    }
    dialog = nil
    if case .equaliser(var editor) = page {
      editor.row = .saved(name)
      page = .equaliser(editor)
    }
    return [.changeEQs(.rename(old, to: name))]
  }

  /// Imports the file at the typed path, without the quotes that terminals paste around it.
  fileprivate mutating func importEQ(from entry: TextEntry, for id: HeadphoneID) -> [Effect] {
    dialog = nil
    let path = entry.text.withoutQuotes
    return path.isEmpty ? [] : [.importEQ(id, path: path)]
  }

  mutating func follow(_ event: EqualiserEvent, at timestamp: Timestamp) -> [Effect] {
    switch event {
    case .saved(let all):
      savedEQs = all
      keepCursor()
      return []
    case .failed(let reason):
      return complain("equaliser presets: \(reason)", advice: "", at: timestamp)
    case .imported(let id, let path, let curve):
      return apply(curve, from: path, for: id, at: timestamp)
    case .rejected(let id, let reason):
      return complain(
        "not imported: \(reason)", advice: "use a file such as AutoEq's ParametricEQ.txt", id,
        at: timestamp)
    }
  }

  private mutating func apply(
    _ curve: ParametricEQ, from path: String, for id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = readyHeadphone, headphone.id == id,
      let bands = headphone.capabilities.flatMap({ EQBands($0) })
    else { return noteNotConnected(at: timestamp) }
    let fit = EQFit(curve, to: bands)
    headphones.update(id) { $0.eqImport = EQImport(path: path, fit: fit) }
    var effects = want(fit.gains.settingValue, of: .equaliserBands)
    for loss in fit.losses { effects += note(.info, id, "import: \(loss)", at: timestamp) }
    return effects
      + say(
        "fitted \(curve.filters.count) filters to \(fit.gains.count) bands", id, at: timestamp)
  }

  private mutating func keepCursor() {
    guard case .equaliser(var editor) = page else { return }
    let rows = equaliserRows
    guard !rows.contains(editor.row), let last = rows.last else { return }
    editor.row = last
    page = .equaliser(editor)
  }
}
