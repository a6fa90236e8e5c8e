public import HeadphoneProtocols

/// What keys do on the page of the equaliser.
extension State {
  /// Opens the page; on it, keeps all as it is.
  ///
  /// The cursor begins on the lowest band, or on the presets of a headphone without bands. Saved
  /// presets are read from their file each time the page opens, since another process may have
  /// changed them.
  mutating func openEqualiser(at timestamp: Timestamp) -> [Effect] {
    if case .equaliser = page {
      page = .main
      return []
    }
    guard let headphone = readyHeadphone, let able = headphone.capabilities else {
      return noteNotConnected(at: timestamp)
    }
    guard !able.eqPresets.isEmpty || able.eqBands > 0 else {
      return noteUnsupported("equaliser", of: headphone.id, at: timestamp)
    }
    page = .equaliser(
      EQEditor(
        headphone: headphone.id, row: able.eqBands > 0 ? .band(0) : .preset,
        preset: headphone.eq.shown, gains: headphone.bands.shown))
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

  /// Presses a key on the page; nil: it means what it means elsewhere.
  ///
  /// | key | on a band | on the presets | on a saved preset |
  /// | --- | --- | --- | --- |
  /// | ← → | another band | another preset, at once | nothing |
  /// | ↑ ↓ | ±0.5 dB | ↓: the bands | another line |
  /// | PgUp PgDn | ±3 dB | nothing | five lines |
  /// | Enter | closes the page | closes the page | takes its gains |
  /// | `0` | this band | all bands | nothing |
  ///
  /// Esc returns to the sound at opening; `rename` and `forget` act on saved presets only.
  mutating func edit(
    _ command: UserCommand, _ editor: EQEditor, at timestamp: Timestamp
  ) -> [Effect]? {
    guard headphones.selected?.id == editor.headphone else { return nil }
    switch (command, editor.row) {
    case (.otherPanel, _): return moveGroup(by: 1, in: editor)
    case (.previousPanel, _): return moveGroup(by: -1, in: editor)
    case (.left, .band), (.right, .band), (.top, .band), (.bottom, .band):
      return move(command, in: editor)
    case (.up, .band(let band)), (.raise, .band(let band)):
      return turn(band, by: 1, at: timestamp)
    case (.down, .band(let band)), (.lower, .band(let band)):
      return turn(band, by: -1, at: timestamp)
    case (.pageUp, .band(let band)): return turn(band, by: 6, at: timestamp)
    case (.pageDown, .band(let band)): return turn(band, by: -6, at: timestamp)
    case (.left, .preset), (.lower, .preset): return stepPreset(by: -1, at: timestamp)
    case (.right, .preset), (.raise, .preset): return stepPreset(by: 1, at: timestamp)
    case (.down, .preset): return moveGroup(by: 1, in: editor)
    case (.up, .saved), (.down, .saved), (.top, .saved), (.bottom, .saved), (.pageUp, .saved),
      (.pageDown, .saved):
      return move(command, in: editor)
    case (.left, _), (.right, _), (.up, _), (.raise, _), (.lower, _), (.top, _), (.bottom, _),
      (.pageUp, _), (.pageDown, _):
      return []
    default: break
    }
    switch command {
    case .undo: return travel(from: \.past, to: \.future, "nothing to undo", at: timestamp)
    case .redo: return travel(from: \.future, to: \.past, "nothing to redo", at: timestamp)
    case .compare: return compare(editor, at: timestamp)
    case .flatten: return flatten(editor.row, at: timestamp)
    case .accept: return accept(editor.row, at: timestamp)
    case .savePreset: return askForPresetName(at: timestamp)
    case .importPreset:
      guard readyHeadphone != nil else { return noteNotConnected(at: timestamp) }
      guard headphones.selected?.capabilities?.eqBands ?? 0 > 0 else {
        return noteUnsupported("custom equaliser", of: editor.headphone, at: timestamp)
      }
      let path = headphones.selected?.eqImport?.path ?? ""
      dialog = .entry(TextEntry(.importEQ(editor.headphone), text: path))
      return []
    case .rename, .forget:
      guard case .saved(let name) = editor.row else {
        return explain("go to a saved preset first", at: timestamp)
      }
      dialog =
        command == .forget
        ? .question(Question(.deleteEQ(name: name)))
        : .entry(TextEntry(.renameEQ(name), text: name))
      return []
    case .back where problem == nil: return undo(editor, at: timestamp)
    default: return nil
    }
  }

  /// Moves the cursor within its group: the bands, or the saved presets.
  private mutating func move(_ command: UserCommand, in editor: EQEditor) -> [Effect] {
    let rows = equaliserRows.filter { $0.group == editor.row.group }
    let index = rows.firstIndex(of: editor.row) ?? 0
    let moved =
      switch command {
      case .up, .left: index - 1
      case .down, .right: index + 1
      case .pageUp: index - 5
      case .pageDown: index + 5
      case .top: 0
      default: rows.count - 1
      }
    guard !rows.isEmpty else { return [] }
    return go(to: rows[min(max(0, moved), rows.count - 1)])
  }

  /// Moves the cursor to the first row of another group, round the ends.
  private mutating func moveGroup(by step: Int, in editor: EQEditor) -> [Effect] {
    let groups = (0...2).filter { group in equaliserRows.contains { $0.group == group } }
    guard let index = groups.firstIndex(of: editor.row.group) else { return [] }
    let group = groups[(index + step + groups.count) % groups.count]
    return equaliserRows.first { $0.group == group }.map { go(to: $0) } ?? []
  }

  /// Moves the cursor, and nothing else.
  private mutating func go(to row: EQEditor.Row) -> [Effect] {
    guard case .equaliser(var editor) = page else { return [] }
    editor.row = row
    page = .equaliser(editor)
    return []
  }

  /// Changes a band by steps of 0.5 dB, within the headphone's range.
  private mutating func turn(_ band: Int, by step: Int8, at timestamp: Timestamp) -> [Effect] {
    change(at: timestamp) { gains in
      guard gains.indices.contains(band) else { return }
      let most = BandGain.most.halfDecibels
      let moved = min(max(-most, gains[band].halfDecibels + step), most)
      gains[band] = BandGain(halfDecibels: moved) ?? gains[band]
    }
  }

  /// The headphone's next or previous preset, as an undoable change.
  private mutating func stepPreset(by step: Int, at timestamp: Timestamp) -> [Effect] {
    remember()
    return stepEQ(by: step, at: timestamp)
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
  private mutating func travel(
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
  private mutating func compare(_ editor: EQEditor, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    var editor = editor
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
      effects = want(gains)
    }
    if let preset = sound.preset, !isCustom { effects += want(preset) }
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
  private mutating func flatten(_ row: EQEditor.Row, at timestamp: Timestamp) -> [Effect] {
    change(at: timestamp) { gains in
      switch row {
      case .preset: gains = gains.map { _ in .flat }
      case .band(let band): if gains.indices.contains(band) { gains[band] = .flat }
      case .saved: break
      }
    }
  }

  /// On a saved preset Enter takes its gains, limited to the headphone's range, and says so if they
  /// were limited; elsewhere it keeps the sound and closes the page.
  private mutating func accept(_ row: EQEditor.Row, at timestamp: Timestamp) -> [Effect] {
    guard case .saved(let name) = row else {
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
    return want(gains)
  }

  /// Esc: all is as it was when the page was opened.
  ///
  /// Without a link the headphone keeps what it has, and a notice says so.
  private mutating func undo(_ editor: EQEditor, at timestamp: Timestamp) -> [Effect] {
    page = .main
    guard let headphone = headphones.selected else { return [] }
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
  /// Pending gains mean the custom preset, even before the headphone confirms either.
  public var presetToCome: EQPreset? {
    bands.pending != nil && !eq.isWaiting ? .custom : eq.shown
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
