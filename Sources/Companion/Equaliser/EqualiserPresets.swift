import HeadphoneProtocols

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
  mutating func save(_ gains: [BandGain], as entry: TextEntry) -> [Effect] {
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
  mutating func rename(_ old: String, as entry: TextEntry) -> [Effect] {
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
  mutating func importEQ(from entry: TextEntry, for id: HeadphoneID) -> [Effect] {
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

  /// Keeps the entry open with its text, and says below it why Enter did not take it.
  mutating func complain(_ complaint: String, in entry: TextEntry) -> [Effect] {
    var entry = entry
    entry.complaint = complaint
    dialog = .entry(entry)
    return []
  }
}
