internal import Companion
internal import HeadphoneProtocols

extension ANCMode {
  /// The titles, from the longest to the shortest.
  var shortTitles: [String] {
    switch self {
    case .off: ["Off", "Off", "Off", "Off"]
    case .noiseCancelling: ["Noise cancelling", "NC", "NC", "NC"]
    case .transparency: ["Transparency", "Transparency", "Transp", "Tr"]
    case .adaptive: ["Adaptive", "Adaptive", "Adapt", "Ad"]
    }
  }
}

extension ANCMode {
  fileprivate var glyph: String {
    switch self {
    case .off: "○"
    case .noiseCancelling: "◉"
    case .transparency: "◌"
    case .adaptive: "◐"
    }
  }
}

extension EQPreset {
  var shortTitles: [String] {
    switch self {
    case .balanced: ["Balanced", "Balanced", "Bal"]
    case .bassBoost: ["Bass boost", "Bass", "Bass"]
    case .vocal: ["Vocal", "Vocal", "Voc"]
    case .custom: ["Custom", "Custom", "Cust"]
    }
  }
}

extension Drawing {
  /// Returns the noise modes, from the widest variant to two-letter titles without keys.
  func noiseSegments(_ headphone: HeadphoneState) -> [Segments] {
    let hasGlyphs = symbols.repertoire == .unicode && symbols.steps.count == 8
    func mode(_ choice: SettingChoice) -> ANCMode? { ANCMode(setting: .choice(choice.id)) }
    func titles(_ choice: SettingChoice) -> [String] {
      guard let mode = mode(choice) else { return [choice.title] }
      let glyphs = mode.shortTitles.prefix(2).map { "\(mode.glyph) \($0)" }
      return (hasGlyphs ? glyphs : []) + mode.shortTitles
    }
    let all = segments(
      of: .noiseMode, headphone, key: { mode($0).map(UserCommand.setANC) }, titles: titles)
    guard var keyless = all.last else { return [] }
    keyless.keys = keyless.keys.map { _ in "" }
    return all + [keyless]
  }

  func equaliserSegments(_ headphone: HeadphoneState) -> [Segments] {
    let isMakers = headphone.capabilities?.declares(.equaliserPreset) == true
    func titles(_ choice: SettingChoice) -> [String] {
      let preset = isMakers ? nil : EQPreset(setting: .choice(choice.id))
      return preset?.shortTitles ?? [choice.title]
    }
    return segments(of: .equaliserPreset, headphone, titles: titles)
  }

  /// Returns the choices of a setting as clickable segments, the longest titles first.
  ///
  /// A value that the headphone reports but does not declare is added as the last segment.
  private func segments(
    of id: SettingID, _ headphone: HeadphoneState,
    key command: (SettingChoice) -> UserCommand? = { _ in nil },
    titles: (SettingChoice) -> [String] = { [$0.title] }
  ) -> [Segments] {
    guard case .choice(let declared)? = headphone.capabilities?.declaration(of: id)?.kind else {
      return []
    }
    let setting = headphone.setting(id).map(\.text)
    let undeclared = headphone.setting(id).confirmed.flatMap { value in
      declared.contains { $0.id == value.text }
        ? nil : SettingChoice(value.text, title: headphone.words(for: value, of: id))
    }
    let choices = declared + [undeclared].compactMap(\.self)
    let (titles, commands) = (choices.map(titles), choices.map(command))
    let actions = zip(choices, commands).map { choice, command in
      choice == undeclared
        ? .pointed(.control(.setting(id)))
        : command.map(Action.pressed) ?? .choiceMade(id, choice.id)
    }
    return (0..<(titles.map(\.count).max() ?? 0)).map { variant in
      Segments(
        labels: titles.map { $0[min(variant, $0.count - 1)] },
        keys: commands.map { $0.flatMap(style.hint) ?? "" }, actions: actions,
        selected: choices.firstIndex { $0.id == setting.confirmed },
        pending: choices.firstIndex { $0.id == setting.pending }, isLive: headphone.isLive)
    }
  }

  /// Draws the value of a declared setting, by its kind.
  ///
  /// | kind | drawn as |
  /// | --- | --- |
  /// | toggle | "● on", "○ off" |
  /// | choice | segments |
  /// | level | a bar that can be clicked, with "3/10"; from its middle where it can be negative |
  /// | text, paired devices … | its value in words |
  ///
  /// A pending value ends with "…".
  mutating func setting(
    _ declaration: SettingDeclaration, _ headphone: HeadphoneState, _ pen: inout Cursor
  ) {
    if let restriction = headphone.restriction(of: declaration) {
      return write(restriction, .muted, &pen)
    }
    let setting = headphone.setting(declaration.id)
    let role: Role = !headphone.isLive ? .stale : setting.pending == nil ? .value : .pending
    let mark = setting.pending == nil ? "" : symbols.pending
    switch (declaration.kind, setting.shown) {
    case (.choice, _?): segments(segments(of: declaration.id, headphone), &pen)
    case (.level(let range), .level?):
      let level = setting.map { if case .level(let level) = $0 { level } else { 0 } }
      self.level(
        level, min(0, range.bounds.lowerBound)...range.bounds.upperBound, headphone.isLive, &pen,
        setBy: (.setting(declaration.id), .control(.setting(declaration.id))))
    case (.toggle, .toggle(let isOn)?):
      let dot: Role = isOn ? .linkReady : .linkOff
      self.mark(
        isOn ? symbols.full : symbols.empty, headphone.isLive && mark.isEmpty ? dot : role, &pen)
      write((isOn ? "on" : "off") + mark, isOn || role != .value ? role : .label, &pen)
    case (.action, _): write(mark.isEmpty ? symbols.pointer : mark, .muted, &pen)
    case (_, let value?): write(displayable(declaration.displayText(for: value)) + mark, role, &pen)
    case (_, nil): write("not reported", .unknown, &pen)
    }
  }

  /// Draws the level of noise control; an unknown level shows the key that sets the middle one.
  mutating func level(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    if let declaration = headphone.capabilities?.declaration(of: .ambientLevel),
      let restriction = headphone.restriction(of: declaration)
    {
      return write(restriction, .muted, &pen)
    }
    let levels = headphone.capabilities?.ancLevels ?? 0...10
    guard headphone.ancLevel.shown != nil else {
      let middle = (levels.lowerBound + levels.upperBound) / 2
      let setting = style.hint(for: .raise).map { ", \($0) sets \(middle)" } ?? ""
      let words = ["not reported" + setting, "not reported"]
      return write(words.first { $0.columns <= pen.room } ?? "--", .unknown, &pen)
    }
    // From 0, even if the lowest level is 1.
    level(
      headphone.ancLevel.map(Int.init), 0...max(1, Int(levels.upperBound)), headphone.isLive, &pen,
      setBy: (.ancLevel, .control(.ancLevel)))
  }

  private mutating func level(
    _ setting: Setting<Int>, _ bounds: ClosedRange<Int>, _ isLive: Bool, _ pen: inout Cursor,
    setBy target: (Bar, Place)
  ) {
    guard let level = setting.shown else { return }
    let role: Role = !isLive ? .stale : setting.pending == nil ? .barFilled : .pending
    let mark = setting.pending == nil ? "" : symbols.pending
    let hasTwoSides = bounds.lowerBound < 0
    let columns = barColumns(pen)
    let start = pen.column
    if hasTwoSides {
      bar(level, in: bounds, columns: columns, role, &pen)
    } else {
      let span = max(1, bounds.upperBound - bounds.lowerBound)
      bar((level - bounds.lowerBound) * 100 / span, columns: columns, role, &pen)
    }
    settable(from: start, to: pen, target.0, target.1)
    skip(columns > 0 ? 1 : 0, &pen)
    let number = hasTwoSides && level > 0 ? "+\(level)" : "\(level)"
    let whole = hasTwoSides ? number + mark : "\(number)/\(bounds.upperBound)\(mark)"
    let text = whole.columns <= pen.room ? whole : number + mark
    write(text, !isLive ? .stale : mark.isEmpty ? .value : .pending, &pen)
  }

  func barColumns(_ pen: Cursor) -> Int {
    let columns = symbols.areWords ? 0 : min(28, pen.room - 7)
    return columns < 5 ? 0 : columns
  }

  mutating func ownVolume(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    let setting = headphone.volume
    let (isMuted, mark) = (
      setting.shown?.isMuted == true, setting.pending == nil ? "" : symbols.pending
    )
    let role: Role = !headphone.isLive || isMuted ? .stale : mark.isEmpty ? .barFilled : .pending
    let percent = setting.shown.map { Int($0.level) }
    let start = pen.column
    bar(percent, columns: max(0, min(32, pen.room - 6 - (isMuted ? 6 : 0))), role, &pen)
    settable(from: start, to: pen, .ownVolume, .control(.volume))
    if !symbols.areWords { skip(1, &pen) }
    let text: Role = percent == nil ? .unknown : mark.isEmpty && !isMuted ? .value : role
    write(percentage(percent) + mark, headphone.isLive ? text : .stale, &pen)
    if isMuted { write(" muted", .warning, &pen) }
  }

  mutating func wear(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    guard !symbols.areWords else {
      return write(headphone.wearing?.displayText ?? "--", headphone.isLive ? .value : .stale, &pen)
    }
    let isRoomy = pen.room >= 29
    let wearing = headphone.wearing ?? Wearing(left: nil, right: nil)
    for (name, isWorn) in [("left", wearing.left), ("right", wearing.right)] {
      let (mark, words, role): (String, String, Role) =
        switch isWorn {
        case true: (symbols.full, " in ear", .linkReady)
        case false: (symbols.empty, " out", .linkOff)
        case nil: ("?", "", .unknown)
        }
      let isKnown = headphone.isLive && isWorn != nil
      write(mark + " ", headphone.isLive ? role : .stale, &pen)
      write(name + (isRoomy ? words : ""), isKnown ? .value : .stale, &pen)
      skip(2, &pen)
    }
  }
}
