public import HeadphoneProtocols

/// What keys do on the page of the equaliser.
extension State {
  /// Opens the page; on it, keeps all as it is.
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
  public var equaliserRows: [EQEditor.Row] {
    guard let able = headphones.selected?.capabilities else { return [] }
    let fitting = savedEQs.filter { able.eqBands > 0 && $0.gains.count == able.eqBands }
    return (able.eqPresets.isEmpty ? [] : [.preset])
      + (0..<able.eqBands).map(EQEditor.Row.band) + fitting.map { .saved($0.name) }
  }

  /// Presses a key on the page; nil: it means what it means elsewhere.
  mutating func edit(
    _ command: UserCommand, _ editor: EQEditor, at timestamp: Timestamp
  ) -> [Effect]? {
    guard headphones.selected?.id == editor.headphone else { return nil }
    switch command {
    case .up, .down, .top, .bottom, .pageUp, .pageDown: return move(command, in: editor)
    case .left, .lower: return turn(editor.row, by: -1, at: timestamp)
    case .right, .raise: return turn(editor.row, by: 1, at: timestamp)
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
        return say("go to a saved preset first", at: timestamp)
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

  private mutating func move(_ command: UserCommand, in editor: EQEditor) -> [Effect] {
    let rows = equaliserRows
    let index = rows.firstIndex(of: editor.row) ?? 0
    let moved =
      switch command {
      case .up: index - 1
      case .down: index + 1
      case .pageUp: index - 5
      case .pageDown: index + 5
      case .top: 0
      default: rows.count - 1
      }
    guard let row = rows.isEmpty ? nil : rows[min(max(0, moved), rows.count - 1)] else { return [] }
    var editor = editor
    editor.row = row
    page = .equaliser(editor)
    return []
  }

  private mutating func turn(
    _ row: EQEditor.Row, by step: Int8, at timestamp: Timestamp
  ) -> [Effect] {
    switch row {
    case .preset: return stepEQ(by: Int(step), at: timestamp)
    case .band(let band):
      return change(at: timestamp) { gains in
        guard gains.indices.contains(band) else { return }
        gains[band] = BandGain(halfDecibels: gains[band].halfDecibels + step) ?? gains[band]
      }
    case .saved: return []
    }
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

  private mutating func flatten(_ row: EQEditor.Row, at timestamp: Timestamp) -> [Effect] {
    change(at: timestamp) { gains in
      switch row {
      case .preset: gains = gains.map { _ in .flat }
      case .band(let band): if gains.indices.contains(band) { gains[band] = .flat }
      case .saved: break
      }
    }
  }

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
      + say(
        "\(name): \(decibelText(limit.decibels, sign: false)) is as far as this headphone goes",
        headphone.id, at: timestamp)
  }

  /// Wants other gains than those that are shown; all are 0 dB where they are unknown.
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
    return want(gains)
  }

  /// Esc: all is as it was when the page was opened.
  private mutating func undo(_ editor: EQEditor, at timestamp: Timestamp) -> [Effect] {
    page = .main
    guard let headphone = headphones.selected else { return [] }
    let hasOtherGains = editor.gains != nil && headphone.bands.shown != editor.gains
    guard hasOtherGains || headphone.presetToCome != editor.preset else { return [] }
    guard headphone.link.isReady else {
      return say("not connected: the equaliser stays as it is", headphone.id, at: timestamp)
    }
    var effects: [Effect] = []
    if let gains = editor.gains, hasOtherGains || editor.preset == .custom {
      effects = want(gains)
    }
    if let preset = editor.preset, preset != .custom { effects += want(preset) }
    return effects + say("changes discarded", headphone.id, at: timestamp)
  }
}

extension HeadphoneState {
  /// The preset when all that is wanted has arrived; nil: unknown.
  public var presetToCome: EQPreset? {
    bands.pending != nil && !eq.isWaiting ? .custom : eq.shown
  }

  /// One for each band that the headphone has.
  public var gainsToEdit: [BandGain] {
    let count = capabilities?.eqBands ?? 0
    let known = (bands.shown ?? []).prefix(count)
    return known + Array(repeating: .flat, count: count - known.count)
  }
}
