public import HeadphoneProtocols

extension UserCommand {
  /// The presets on the main page, and the commands of the editor.
  static let equaliserCommands = [
    nextEQ, equaliser, correction, flatten, savePreset, importPreset, undo, redo, compare,
  ]

  /// The next preset of the headphone's own, round the end.
  package static let nextEQ = turning(
    .equaliserPreset, "next-eq", keys: ["e"], "next equaliser preset", hint: 20, label: "EQ")
  /// Opens the editor.
  package static let equaliser = UserCommand(
    "equaliser", keys: ["E"], "edit the equaliser (Esc discards)", hint: 40, label: "Edit EQ",
    availability: { $0.available("equaliser") { !$0.eqPresets.isEmpty || $0.eqBands > 0 } }
  ) { state, _ in state.openEqualiser() }
  package static let flatten = editing(
    "flatten", keys: ["0"], "0 dB", shortSummary: "0 dB; on the presets all bands", label: "Flat")
  package static let savePreset = editing(
    "save-preset", keys: ["S"], "save the gains under a name", label: "Save")
  package static let importPreset = editing(
    "import-preset", keys: ["I"], "import an AutoEq file", label: "Import")
  /// Steps in the editor's history: to the change before, to the one after, and to the sound at
  /// opening and back.
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
  public static let equaliser = PageKind(
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
      PageCommand(.accept, "use the saved preset; elsewhere keep all and leave") {
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
      PageCommand(.equaliser, "keep all and leave") { state, _ in
        state.page = .main
        return []
      },
      PageCommand(.back, "discard all changes") { $0.discard(at: $1) },
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

/// What keys do on the page of the equaliser.
extension State {
  /// Opens the page.
  ///
  /// The cursor begins on the lowest band, or on the presets of a headphone without bands. Saved
  /// presets are read from their file each time the page opens, since another process may have
  /// changed them.
  fileprivate mutating func openEqualiser() -> [Effect] {
    guard let headphone = readyHeadphone, let able = headphone.capabilities else { return [] }
    page = .equaliser(
      EQEditor(
        headphone: headphone.id, row: able.eqBands > 0 ? .band(0) : .preset,
        preset: headphone.presetToCome, gains: headphone.bands.shown))
    return [.readEQs]
  }

  /// The rows of the page, as far as the headphone has them.
  ///
  /// In three groups: the headphone's presets as one row, a row per band, and the saved presets
  /// that have as many bands.
  ///
  /// Presets with another number of bands have no row; the page says how many there are.
  public var equaliserRows: [EQEditor.Row] {
    guard let able = headphones.selected?.capabilities else { return [] }
    let fitting = savedEQs.filter { able.eqBands > 0 && $0.gains.count == able.eqBands }
    return (able.eqPresets.isEmpty ? [] : [.preset])
      + (0..<able.eqBands).map(EQEditor.Row.band) + fitting.map { .saved($0.name) }
  }

  /// The row of the cursor; nil: another page is shown, or another headphone.
  private var editedRow: EQEditor.Row? {
    guard case .equaliser(let editor) = page, headphones.selected?.id == editor.headphone else {
      return nil
    }
    return editor.row
  }

  /// ↑ ↓ and what is like them: a band's gain by 0.5 or 3 dB, another line of the saved presets.
  ///
  /// On the presets only ↓ does something: it goes to the bands.
  fileprivate mutating func moveEditor(_ movement: Movement, at timestamp: Timestamp) -> [Effect] {
    switch (editedRow, movement) {
    case (.saved?, _), (.band?, .top), (.band?, .bottom): moveInGroup(movement)
    case (.band(let band)?, .up): turn(band, by: 1, at: timestamp)
    case (.band(let band)?, .down): turn(band, by: -1, at: timestamp)
    case (.band(let band)?, .pageUp): turn(band, by: 6, at: timestamp)
    case (.band(let band)?, .pageDown): turn(band, by: -6, at: timestamp)
    case (.preset?, .down): moveGroup(by: 1)
    case (.preset?, _), (nil, _): []
    }
  }

  /// ← and →: another band, or another preset at once.
  fileprivate mutating func stepAcross(by step: Int, at timestamp: Timestamp) -> [Effect] {
    switch editedRow {
    case .band: moveInGroup(step < 0 ? .up : .down)
    case .preset: stepPreset(by: step, at: timestamp)
    case .saved, nil: []
    }
  }

  /// `+` and `-`: a band's gain, or another preset.
  fileprivate mutating func slideEditor(by step: Int, at timestamp: Timestamp) -> [Effect] {
    switch editedRow {
    case .band(let band): turn(band, by: Int8(step), at: timestamp)
    case .preset: stepPreset(by: step, at: timestamp)
    case .saved, nil: []
    }
  }

  /// Asks for the path of a parametric equaliser.
  fileprivate mutating func askForImport(at timestamp: Timestamp) -> [Effect] {
    let availability = available("custom equaliser") { $0.eqBands > 0 }
    guard availability == .available, let headphone = readyHeadphone else {
      return explain(availability, at: timestamp)
    }
    dialog = .entry(
      TextEntry(.importEQ(headphone.id), text: headphone.eqImport?.path ?? ""))
    return []
  }

  /// Opens a dialog about the saved preset of the cursor.
  fileprivate mutating func askAboutSaved(
    at timestamp: Timestamp, _ dialog: (String) -> Dialog
  ) -> [Effect] {
    guard case .saved(let name)? = editedRow else {
      return explain("go to a saved preset first", at: timestamp)
    }
    self.dialog = dialog(name)
    return []
  }

  /// Moves the cursor within its group: the bands, or the saved presets.
  private mutating func moveInGroup(_ movement: Movement) -> [Effect] {
    guard let row = editedRow else { return [] }
    let rows = equaliserRows.filter { $0.group == row.group }
    let index = movement.index(from: rows.firstIndex(of: row) ?? 0, count: rows.count)
    return rows.element(at: index).map { go(to: $0) } ?? []
  }

  /// Moves the cursor to the first row of another group, round the ends.
  fileprivate mutating func moveGroup(by step: Int) -> [Effect] {
    let groups = (0...2).filter { group in equaliserRows.contains { $0.group == group } }
    guard let index = editedRow.flatMap({ groups.firstIndex(of: $0.group) }) else { return [] }
    let group = groups[(index + step + groups.count) % groups.count]
    return equaliserRows.first { $0.group == group }.map { go(to: $0) } ?? []
  }

  /// Moves the cursor, and nothing else.
  fileprivate mutating func go(to row: EQEditor.Row) -> [Effect] {
    guard case .equaliser(var editor) = page else { return [] }
    editor.row = row
    page = .equaliser(editor)
    return []
  }

  /// What a search finds of a row.
  fileprivate func equaliserTitle(_ row: EQEditor.Row) -> String {
    let able = headphones.selected?.capabilities
    return switch row {
    case .preset: able?.eqPresets.map(\.title).joined(separator: " ") ?? ""
    case .band(let band): able.flatMap { EQBands($0) }?.title(band) ?? ""
    case .saved(let name): name
    }
  }

  /// Changes a band by so many half decibels, and by a step of the headphone's at least, within its
  /// range.
  private mutating func turn(_ band: Int, by step: Int8, at timestamp: Timestamp) -> [Effect] {
    let least = headphones.selected?.capabilities?.eqStep.halfDecibels ?? 1
    // A headphone rounds what lies between its steps, always the same way.
    let step = abs(step) < least ? step.signum() * least : step
    return change(at: timestamp) { gains in
      guard gains.indices.contains(band) else { return }
      let most = BandGain.most.halfDecibels
      let moved = min(max(-most, gains[band].halfDecibels + step), most)
      gains[band] = BandGain(halfDecibels: moved) ?? gains[band]
    }
  }

  /// The headphone's next or previous preset, as an undoable change.
  private mutating func stepPreset(by step: Int, at timestamp: Timestamp) -> [Effect] {
    remember()
    return turn(.equaliserPreset, by: step, at: timestamp)
  }

  // MARK: Undo

  /// Remembers how the headphone is about to sound, before that is changed.
  ///
  /// A burst of key presses is one step of the history each.
  private mutating func remember() {
    guard case .equaliser(var editor) = page, let headphone = headphones.selected else { return }
    editor.remember(headphone.soundToCome)
    page = .equaliser(editor)
  }

  /// Undo and redo: takes the newest sound of one stack, and puts the present one on the other.
  ///
  /// - Parameter nothing: The notice if that stack is empty.
  fileprivate mutating func travel(
    from source: WritableKeyPath<EQEditor, [EQSound]>,
    to target: WritableKeyPath<EQEditor, [EQSound]>, _ nothing: String, at timestamp: Timestamp
  ) -> [Effect] {
    guard case .equaliser(var editor) = page, let headphone = readyHeadphone else {
      return noteNotConnected(at: timestamp)
    }
    guard let sound = editor[keyPath: source].popLast() else {
      return explain(nothing, at: timestamp)
    }
    editor[keyPath: target].append(headphone.soundToCome)
    editor.compared = nil
    page = .equaliser(editor)
    return want(sound, on: headphone)
  }

  /// Between how it sounded at first and how it sounds now.
  ///
  /// `compare` twice is where one was: neither step enters the history.
  ///
  /// The first press returns to the sound at opening, the second one to the sound before the first.
  fileprivate mutating func compare(at timestamp: Timestamp) -> [Effect] {
    guard case .equaliser(var editor) = page, let headphone = readyHeadphone else {
      return noteNotConnected(at: timestamp)
    }
    let sound = editor.compared ?? editor.opening
    editor.compared = editor.compared == nil ? headphone.soundToCome : nil
    page = .equaliser(editor)
    let words = editor.compared == nil ? "as edited" : "as it was before"
    return want(sound, on: headphone) + say(words, headphone.id, at: timestamp)
  }

  /// Asks the headphone for a sound, only for what differs: gains first, since they switch to the
  /// custom preset, and then a preset of the headphone's own.
  ///
  /// Nothing is sent for a part that the headphone has, or will have, anyway.
  private mutating func want(_ sound: EQSound, on headphone: HeadphoneState) -> [Effect] {
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

  /// A click on a slider: the cursor goes there, too.
  mutating func setBand(_ band: Int, to gain: BandGain, at timestamp: Timestamp) -> [Effect] {
    guard dialog == nil, case .equaliser(var editor) = page,
      headphones.selected?.id == editor.headphone, equaliserRows.contains(.band(band))
    else { return [] }
    editor.row = .band(band)
    page = .equaliser(editor)
    return change(at: timestamp) { $0[band] = gain }
  }

  /// 0 dB on the band under the cursor, or on all bands from the row of presets.
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

  /// On a saved preset Enter takes its gains, limited to the headphone's range, and says so if they
  /// were limited; elsewhere it keeps the sound and closes the page.
  fileprivate mutating func acceptInEditor(at timestamp: Timestamp) -> [Effect] {
    guard case .saved(let name)? = editedRow else {
      page = .main
      return []
    }
    guard let saved = savedEQs.first(where: { $0.name == name }) else { return [] }
    let effects = change(at: timestamp) { gains in
      if gains.count == saved.gains.count { gains = saved.gains }
    }
    guard let headphone = readyHeadphone, let limit = headphone.capabilities?.eqLimit,
      saved.gains.contains(where: { $0.limited(to: limit) != $0 })
    else { return effects }
    return effects
      + explain(
        "\(name): \(decibelText(limit.decibels, sign: false)) is the limit of this headphone",
        headphone.id, at: timestamp)
  }

  /// Wants other gains than those that are shown; all are 0 dB where they are unknown.
  ///
  /// A change that is none, after limiting, is neither sent nor remembered.
  ///
  /// - Parameter change: changes the gains that are shown, one for each band of the headphone.
  private mutating func change(
    at timestamp: Timestamp, _ change: (inout [BandGain]) -> Void
  ) -> [Effect] {
    guard let headphone = readyHeadphone, let able = headphone.capabilities else {
      return noteNotConnected(at: timestamp)
    }
    guard able.eqBands > 0 else {
      return noteUnsupported("custom equaliser", of: headphone.id, at: timestamp)
    }
    var gains = headphone.gainsToEdit
    change(&gains)
    gains = gains.map { $0.limited(to: able.eqLimit) }
    guard gains != headphone.bands.shown || headphone.presetToCome != .custom else { return [] }
    remember()
    return want(gains.settingValue, of: .equaliserBands)
  }

  /// Esc: all is as it was when the page was opened; an open problem is closed first.
  ///
  /// Without a link the headphone keeps what it has, and a notice says so.
  fileprivate mutating func discard(at timestamp: Timestamp) -> [Effect] {
    guard problem == nil, case .equaliser(let editor) = page, let headphone = headphones.selected,
      headphone.id == editor.headphone
    else { return goBack(at: timestamp) }
    page = .main
    let hasOtherGains = editor.gains != nil && headphone.bands.shown != editor.gains
    guard hasOtherGains || headphone.presetToCome != editor.preset else { return [] }
    guard headphone.link.isReady else {
      return say("not connected: the equaliser stays as it is", headphone.id, at: timestamp)
    }
    return want(editor.opening, on: headphone)
      + say("changes discarded", headphone.id, at: timestamp)
  }
}

extension EQEditor.Row {
  /// The part of the page that it belongs to, from the top; `Tab` goes from one to the next.
  fileprivate var group: Int {
    switch self {
    case .preset: 0
    case .band: 1
    case .saved: 2
    }
  }
}

extension HeadphoneState {
  /// The sound when all that is pending has been confirmed.
  fileprivate var soundToCome: EQSound { EQSound(preset: presetToCome, gains: bands.shown) }

  /// The preset when all that is wanted has arrived; nil: unknown.
  ///
  /// Pending gains mean the custom preset, even before the headphone confirms either; so does a
  /// headphone without any of these presets.
  public var presetToCome: EQPreset? {
    let hasNone = capabilities?.eqPresets.isEmpty == true
    return hasNone || bands.pending != nil && !eq.isWaiting ? .custom : eq.shown
  }

  /// One for each band that the headphone has.
  ///
  /// Bands without a known gain count as 0 dB.
  public var gainsToEdit: [BandGain] {
    let count = capabilities?.eqBands ?? 0
    let known = (bands.shown ?? []).prefix(count)
    return known + Array(repeating: .flat, count: count - known.count)
  }
}
