package import HeadphoneProtocols

extension UserCommand {
  static let equaliserCommands = [
    nextEQ, equaliser, correction, flatten, savePreset, importPreset, undo, redo, compare,
  ]

  package static let nextEQ = turning(
    .equaliserPreset, "next-eq", keys: ["e"], "next equaliser preset", hint: 20, label: "EQ")
  package static let equaliser = UserCommand(
    "equaliser", keys: ["E"], "edit the equaliser", hint: 40, label: "Edit EQ",
    availability: { $0.available("equaliser") { !$0.equaliserPresets.isEmpty || $0.eqBands > 0 } }
  ) { state, _ in state.openEqualiser() }
  package static let flatten = editing(
    "flatten", keys: ["0"], "0 dB", shortSummary: "0 dB; on the presets all bands", label: "Flat")
  package static let savePreset = editing(
    "save-preset", keys: ["S"], "save the gains under a name", label: "Save")
  package static let importPreset = editing(
    "import-preset", keys: ["I"], "import an AutoEq file", label: "Import")
  package static let undo = editing("undo", keys: ["u"], "undo", label: "Undo")
  package static let redo = editing("redo", keys: ["^R"], "redo", label: "Redo")
  package static let compare = editing(
    "compare", keys: ["b"], "compare with how it was", label: "Compare")

  private static func editing(
    _ name: String, keys: [String], _ summary: String, shortSummary: String? = nil, label: String
  ) -> UserCommand {
    UserCommand(
      name, keys: keys, "in the editor: \(summary)", shortSummary: shortSummary ?? summary,
      reach: .none, label: label, action: ofPages)
  }
}

extension PageKind {
  package static let equaliser = PageKind(
    "Equaliser",
    commands: [
      PageCommand(.otherPanel, "next part: presets, bands, saved presets") { state, _ in
        state.moveGroup(by: 1)
      },
      PageCommand(.previousPanel, "previous part") { state, _ in state.moveGroup(by: -1) },
      PageCommand(.left, "band to the left; preset before") { $0.stepAcross(by: -1, at: $1) },
      PageCommand(.right, "band to the right; next preset") { $0.stepAcross(by: 1, at: $1) },
      PageCommand(.up, more) { $0.moveEditor(.up, at: $1) },
      PageCommand(.down, less) { $0.moveEditor(.down, at: $1) },
      PageCommand(.raise, more) { $0.slideEditor(by: 1, at: $1) },
      PageCommand(.lower, less) { $0.slideEditor(by: -1, at: $1) },
      PageCommand(.pageUp, "3 dB more") { $0.moveEditor(.pageUp, at: $1) },
      PageCommand(.pageDown, "3 dB less") { $0.moveEditor(.pageDown, at: $1) },
      PageCommand(.top, "first band or saved preset") { $0.moveEditor(.top, at: $1) },
      PageCommand(.bottom, "last band or saved preset") { $0.moveEditor(.bottom, at: $1) },
      PageCommand(.flatten) { $0.flatten(at: $1) },
      PageCommand(.savePreset) { $0.askForPresetName(at: $1) },
      PageCommand(.importPreset) { $0.askForImport(at: $1) },
      PageCommand(.undo) { $0.travel(from: \.past, to: \.future, "nothing to undo", at: $1) },
      PageCommand(.redo) { $0.travel(from: \.future, to: \.past, "nothing to redo", at: $1) },
      PageCommand(.compare) { $0.compare(at: $1) },
      PageCommand(.accept, "use the saved preset; elsewhere back") {
        $0.acceptInEditor(at: $1)
      },
      PageCommand(.rename, "rename the saved preset") {
        $0.askAboutSaved(at: $1) { .entry(TextEntry(.renameEQ($0), text: $0)) }
      },
      PageCommand(.forget, "delete the saved preset (asks)") {
        $0.askAboutSaved(at: $1) { .question(Question(.deleteEQ(name: $0))) }
      },
      PageCommand(.filter, "find a saved preset"), .matching(.nextMatch, claimsKey: false),
      .matching(.previousMatch, claimsKey: false),
      PageCommand(.equaliser, "back") { $0.leaveEqualiser(at: $1) },
      PageCommand(.back, "back; the changes stay, and u undoes them") { $0.leaveEqualiser(at: $1) },
    ],
    lines: { state in
      state.equaliserRows.map { PageLine(state.equaliserTitle($0), copied: nil) }
    },
    cursor: { state in
      if case .equaliser(let editor) = state.page {
        state.equaliserRows.firstIndex(of: editor.row)
      } else {
        nil
      }
    },
    goTo: { state, line in _ = state.go(to: state.equaliserRows[line]) })

  private static let more = "one step more; saved preset above"
  private static let less = "one step less; saved preset below"
}

extension State {
  /// Opens the page with the cursor on the lowest band, or on the presets without bands.
  ///
  /// Saved presets are read each time, since another process may have changed them.
  fileprivate mutating func openEqualiser() -> [Effect] {
    guard let headphone = readyHeadphone, let able = headphone.capabilities else { return [] }
    var editor = EQEditor(
      headphone: headphone.id, row: able.eqBands > 0 ? .band(0) : .preset,
      opening: headphone.soundToCome)
    editor.adoptHistory(of: headphone.equaliserEditor)
    page = .equaliser(editor)
    return [.readEQs]
  }

  /// The headphone's presets, its bands, and saved presets with as many bands.
  package var equaliserRows: [EQEditor.Row] {
    guard let able = headphones.selected?.capabilities else { return [] }
    let fitting = savedEQs.filter { able.eqBands > 0 && $0.gains.count == able.eqBands }
    return (able.equaliserPresets.isEmpty ? [] : [.preset])
      + (0..<able.eqBands).map(EQEditor.Row.band) + fitting.map { .saved($0.name) }
  }

  private var editedRow: EQEditor.Row? {
    guard case .equaliser(let editor) = page, headphones.selected?.id == editor.headphone else {
      return nil
    }
    return editor.row
  }

  /// Changes a band by 0.5 or 3 dB, chooses a preset, or moves through the saved presets.
  fileprivate mutating func moveEditor(_ movement: Movement, at timestamp: Timestamp) -> [Effect] {
    switch (editedRow, movement) {
    case (.saved?, _), (.band?, .top), (.band?, .bottom): moveInGroup(movement)
    case (.band(let band)?, .up): turn(band, by: 1, at: timestamp)
    case (.band(let band)?, .down): turn(band, by: -1, at: timestamp)
    case (.band(let band)?, .pageUp): turn(band, by: 6, at: timestamp)
    case (.band(let band)?, .pageDown): turn(band, by: -6, at: timestamp)
    case (.preset?, .up): stepPreset(by: -1, at: timestamp)
    case (.preset?, .down): stepPreset(by: 1, at: timestamp)
    case (.preset?, _), (nil, _): []
    }
  }

  fileprivate mutating func stepAcross(by step: Int, at timestamp: Timestamp) -> [Effect] {
    switch editedRow {
    case .band: moveInGroup(step < 0 ? .up : .down)
    case .preset: stepPreset(by: step, at: timestamp)
    case .saved, nil: []
    }
  }

  fileprivate mutating func slideEditor(by step: Int, at timestamp: Timestamp) -> [Effect] {
    switch editedRow {
    case .band(let band): turn(band, by: Int8(step), at: timestamp)
    case .preset: stepPreset(by: step, at: timestamp)
    case .saved, nil: []
    }
  }

  fileprivate mutating func askForImport(at timestamp: Timestamp) -> [Effect] {
    let availability = available("custom equaliser") { $0.eqBands > 0 }
    guard availability == .available, let headphone = readyHeadphone else {
      return explain(availability, at: timestamp)
    }
    dialog = .entry(
      TextEntry(.importEQ(headphone.id), text: headphone.eqImport?.path ?? ""))
    return []
  }

  fileprivate mutating func askAboutSaved(
    at timestamp: Timestamp, _ dialog: (String) -> Dialog
  ) -> [Effect] {
    guard case .saved(let name)? = editedRow else {
      return explain("go to a saved preset first", at: timestamp)
    }
    self.dialog = dialog(name)
    return []
  }

  private mutating func moveInGroup(_ movement: Movement) -> [Effect] {
    guard let row = editedRow else { return [] }
    let rows = equaliserRows.filter { $0.group == row.group }
    let index = movement.index(from: rows.firstIndex(of: row) ?? 0, count: rows.count)
    return rows.element(at: index).map { go(to: $0) } ?? []
  }

  fileprivate mutating func moveGroup(by step: Int) -> [Effect] {
    let groups = (0...2).filter { group in equaliserRows.contains { $0.group == group } }
    guard let index = editedRow.flatMap({ groups.firstIndex(of: $0.group) }) else { return [] }
    let group = groups[(index + step + groups.count) % groups.count]
    return equaliserRows.first { $0.group == group }.map { go(to: $0) } ?? []
  }

  fileprivate mutating func go(to row: EQEditor.Row) -> [Effect] {
    guard case .equaliser(var editor) = page else { return [] }
    editor.row = row
    page = .equaliser(editor)
    return []
  }

  fileprivate func equaliserTitle(_ row: EQEditor.Row) -> String {
    let able = headphones.selected?.capabilities
    return switch row {
    case .preset: able?.equaliserPresets.map(\.title).joined(separator: " ") ?? ""
    case .band(let band): able.flatMap { EQBands($0) }?.title(band) ?? ""
    case .saved(let name): name
    }
  }

  /// Changes a band by half decibels, but at least by one step of the headphone.
  private mutating func turn(_ band: Int, by step: Int8, at timestamp: Timestamp) -> [Effect] {
    let least = headphones.selected?.capabilities?.eqStep.halfDecibels ?? 1
    // A headphone always rounds values between its steps the same way.
    let step = abs(step) < least ? step.signum() * least : step
    return change(at: timestamp) { gains in
      guard gains.indices.contains(band) else { return }
      let most = BandGain.most.halfDecibels
      let moved = min(max(-most, gains[band].halfDecibels + step), most)
      gains[band] = BandGain(halfDecibels: moved) ?? gains[band]
    }
  }

  private mutating func stepPreset(by step: Int, at timestamp: Timestamp) -> [Effect] {
    remember()
    return turn(.equaliserPreset, by: step, at: timestamp)
  }

  /// Adds the headphone's sound to the history before a change; each key press is one step.
  private mutating func remember() {
    guard case .equaliser(var editor) = page, let headphone = headphones.selected else { return }
    editor.remember(headphone.soundToCome)
    show(editor)
  }

  /// Shows the editor, and keeps its history for when the page is opened again.
  private mutating func show(_ editor: EQEditor) {
    if case .equaliser = page { page = .equaliser(editor) }
    headphones.update(editor.headphone) { $0.equaliserEditor = editor }
  }

  /// Undoes or redoes a change, or shows `nothing` if that stack is empty.
  mutating func travel(
    from source: WritableKeyPath<EQEditor, [EQSound]>,
    to target: WritableKeyPath<EQEditor, [EQSound]>, _ nothing: String, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    let open: EQEditor? =
      if case .equaliser(let editor) = page { editor } else { headphone.equaliserEditor }
    guard var editor = open, let sound = editor[keyPath: source].popLast() else {
      return explain(nothing, at: timestamp)
    }
    editor[keyPath: target].append(headphone.soundToCome)
    editor.compared = nil
    show(editor)
    return want(sound, on: headphone)
  }

  /// Switches between the sound at opening and the edited sound, outside the history.
  fileprivate mutating func compare(at timestamp: Timestamp) -> [Effect] {
    guard case .equaliser(var editor) = page, let headphone = readyHeadphone else {
      return noteNotConnected(at: timestamp)
    }
    let sound = editor.compared ?? editor.opening
    editor.compared = editor.compared == nil ? headphone.soundToCome : nil
    page = .equaliser(editor)
    let words = editor.compared == nil ? "with your changes" : "before your changes"
    return want(sound, on: headphone) + say(words, headphone.id, at: timestamp)
  }

  /// Sends only what differs: gains first, as they select the custom preset, then a preset.
  ///
  /// The gains of a maker's preset come with the preset.
  private mutating func want(_ sound: EQSound, on headphone: HeadphoneState) -> [Effect] {
    if let preset = sound.makersPreset, preset != headphone.soundToCome.makersPreset {
      return want(.choice(preset), of: .equaliserPreset)
    }
    var effects: [Effect] = []
    let isCustom = sound.preset == .custom
    if let gains = sound.gains,
      headphone.bands.shown != gains || isCustom && headphone.presetToCome != .custom
    {
      effects = want(gains.settingValue, of: .equaliserBands)
    }
    if let preset = sound.preset, !isCustom {
      effects += want(preset.settingValue, of: .equaliserPreset)
    }
    return effects
  }

  mutating func setBand(_ band: Int, to gain: BandGain, at timestamp: Timestamp) -> [Effect] {
    guard dialog == nil, case .equaliser(var editor) = page,
      headphones.selected?.id == editor.headphone, equaliserRows.contains(.band(band))
    else { return [] }
    editor.row = .band(band)
    page = .equaliser(editor)
    return change(at: timestamp) { $0[band] = gain }
  }

  fileprivate mutating func flatten(at timestamp: Timestamp) -> [Effect] {
    guard let row = editedRow else { return [] }
    return change(at: timestamp) { gains in
      switch row {
      case .preset: gains = gains.map { _ in .flat }
      case .band(let band): if gains.indices.contains(band) { gains[band] = .flat }
      case .saved: break
      }
    }
  }

  /// Uses the gains of a saved preset, rounded with a notice, or else closes the page.
  fileprivate mutating func acceptInEditor(at timestamp: Timestamp) -> [Effect] {
    guard case .saved(let name)? = editedRow else { return leaveEqualiser(at: timestamp) }
    guard let saved = savedEQs.first(where: { $0.name == name }) else { return [] }
    let effects = change(at: timestamp) { gains in
      if gains.count == saved.gains.count { gains = saved.gains }
    }
    guard let headphone = readyHeadphone,
      let bands = headphone.capabilities.flatMap({ EQBands($0) }),
      bands.gains(nearest: saved.gains) != saved.gains
    else { return effects }
    let isLimited = saved.gains.contains { $0.limited(to: bands.limit) != $0 }
    let limit = "\(decibelText(bands.limit.decibels, sign: false)) is the limit of this headphone"
    return effects
      + explain("\(name): \(isLimited ? limit : bands.roundingText)", headphone.id, at: timestamp)
  }

  /// Changes the gains, starting from 0 dB where they are unknown, unless limits undo the change.
  private mutating func change(
    at timestamp: Timestamp, _ change: (inout [BandGain]) -> Void
  ) -> [Effect] {
    guard let headphone = readyHeadphone, let able = headphone.capabilities else {
      return noteNotConnected(at: timestamp)
    }
    guard let bands = EQBands(able) else {
      return noteUnsupported("custom equaliser", of: headphone.id, at: timestamp)
    }
    var gains = headphone.gainsToEdit
    change(&gains)
    gains = bands.gains(nearest: gains)
    guard gains != headphone.bands.shown || headphone.presetToCome != .custom else { return [] }
    remember()
    return want(gains.settingValue, of: .equaliserBands)
  }

  /// Closes a shown problem, or else the page, naming the key that undoes the changes.
  fileprivate mutating func leaveEqualiser(at timestamp: Timestamp) -> [Effect] {
    guard problem == nil, case .equaliser(var editor) = page else { return goBack(at: timestamp) }
    page = .main
    filter = ""
    guard let headphone = headphones[editor.headphone] else { return [] }
    if let edited = editor.compared {
      (editor.past, editor.compared) = (editor.past + [edited], nil)
      show(editor)
      return say("your changes are off", headphone.id, remedy: .undo, at: timestamp)
    }
    var sound = headphone.soundToCome
    if editor.opening.gains == nil { sound.gains = nil }
    guard sound != editor.opening, headphone.link.isReady else { return [] }
    return say("the equaliser is changed", headphone.id, remedy: .undo, at: timestamp)
  }
}

extension EQEditor.Row {
  fileprivate var group: Int {
    switch self {
    case .preset: 0
    case .band: 1
    case .saved: 2
    }
  }
}

extension HeadphoneState {
  /// The sound once everything pending has been confirmed.
  fileprivate var soundToCome: EQSound {
    EQSound(preset: presetToCome, gains: bands.shown, makersPreset: makersPresetToCome)
  }

  private var makersPresetToCome: String? {
    let preset = settings[.equaliserPreset]
    guard capabilities?.declares(.equaliserPreset) == true, let shown = preset.shown,
      bands.pending == nil || preset.isWaiting, command(setting: .equaliserPreset, to: shown) != nil
    else { return nil }
    return shown.text
  }

  /// The preset once everything pending has been confirmed; nil if unknown.
  ///
  /// Pending gains imply the custom preset, and so does a headphone without any known preset.
  package var presetToCome: EQPreset? {
    let hasNone = capabilities?.eqPresets.isEmpty == true
    return hasNone || bands.pending != nil && !eq.isWaiting ? .custom : eq.shown
  }

  /// A warning that the gains may be the custom ones instead of those of the preset in use.
  package var warningBeforeSaving: String? {
    guard let preset = presetToCome, preset != .custom else { return nil }
    return "\(preset.title) is on: the gains of the bands need not be its own"
  }

  package var gainsToEdit: [BandGain] {
    let count = capabilities?.eqBands ?? 0
    let known = (bands.shown ?? []).prefix(count)
    return known + Array(repeating: .flat, count: count - known.count)
  }
}
