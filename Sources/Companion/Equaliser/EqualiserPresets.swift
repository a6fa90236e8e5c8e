package import HeadphoneProtocols

extension TextEntry.Purpose {
  /// The name of gains to save.
  package static func saveEQ(_ gains: [BandGain]) -> Self {
    Self("SAVE THE EQUALISER AS", presetName, of: gains) { state, entry, _ in
      state.save(gains, as: entry)
    }
  }
  /// The name that the saved preset of this name shall have.
  package static func renameEQ(_ old: String) -> Self {
    Self("RENAME THE PRESET", presetName, of: old) { state, entry, _ in state.rename(old, as: entry)
    }
  }
  /// The path of a parametric equaliser.
  package static func importEQ(_ id: HeadphoneID) -> Self {
    Self("IMPORT AN EQUALISER", filterFile, of: id, isPath: true) { state, entry, _ in
      state.importEQ(from: entry, for: id)
    }
  }

  private static let presetName = "A name for it, kept on this computer."
  static let filterFile = "Path to a ParametricEQ.txt or GraphicEQ.txt."
}

extension Question.Subject {
  /// A preset of this name is there already.
  package static func replaceEQ(_ saved: SavedEQ) -> Self {
    Self(
      "Replace the preset?", no: "Keep", yes: "Replace", of: saved,
      text: { _ in "A preset \"\(saved.name)\" exists. Replace it? Its gains are lost." }
    ) { _, _ in [.changeEQs(.keep(saved))] }
  }
  /// The saved preset of this name.
  package static func deleteEQ(name: String) -> Self {
    Self(
      "Delete the preset?", no: "Keep", yes: "Delete", of: name,
      text: { _ in
        "Delete the preset \"\(name)\"? Its gains are lost; the headphone keeps what it has now."
      }
    ) { _, _ in [.changeEQs(.delete(name))] }
  }
}

/// The user's presets: saved, renamed, deleted, imported.
extension State {
  /// `S`: asks for the name under which the present gains are saved.
  mutating func askForPresetName(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, headphone.capabilities?.eqBands ?? 0 > 0 else {
      return explain("this headphone has no custom equaliser", at: timestamp)
    }
    dialog = .entry(TextEntry(.saveEQ(headphone.gainsToEdit)))
    return []
  }

  /// Enter on the name of gains to save.
  ///
  /// A name that exists is asked about before it is replaced.
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

  /// Enter on the new name of a preset.
  ///
  /// The cursor follows the preset to its new place in the list.
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

  /// Enter on a path; quotes around it, as terminals paste them, are removed.
  ///
  /// Nothing typed imports nothing.
  fileprivate mutating func importEQ(from entry: TextEntry, for id: HeadphoneID) -> [Effect] {
    dialog = nil
    let path = entry.text.withoutQuotes
    return path.isEmpty ? [] : [.importEQ(id, path: path)]
  }

  /// Results of the files: the presets as they are now, or an imported curve, or why not.
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

  /// A curve that was read: fitted to the bands and asked for at once.
  ///
  /// What is lost goes to the log, line by line, and to the page.
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

  /// The preset under the cursor may be gone.
  private mutating func keepCursor() {
    guard case .equaliser(var editor) = page else { return }
    let rows = equaliserRows
    guard !rows.contains(editor.row), let last = rows.last else { return }
    editor.row = last
    page = .equaliser(editor)
  }
}
