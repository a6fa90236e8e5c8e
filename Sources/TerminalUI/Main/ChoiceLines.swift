internal import Companion
internal import HeadphoneProtocols

extension ANCMode {
  /// Shorter and shorter ways to write the mode.
  ///
  /// The same number for every mode, so that all segments shorten together.
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
  /// A circle for the part of the world that comes through: none done, closed, open, half.
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
  /// Shorter and shorter ways to write the preset.
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
  /// The modes that the headphone has, with the key of each.
  ///
  /// From symbols and full titles to two letters, and then without the keys; the first variant that
  /// fits is drawn.
  func noiseSegments(_ headphone: HeadphoneState) -> [Segments] {
    let modes = headphone.capabilities?.ancModes ?? []
    let commands = modes.map(UserCommand.setANC)
    let titles = modes.map { mode in
      (symbols.repertoire == .unicode && symbols.steps.count == 8
        ? ["\(mode.glyph) \(mode.title)", "\(mode.glyph) \(mode.shortTitles[1])"] : [])
        + mode.shortTitles
    }
    let all = variants(
      titles, keys: commands.map { style.hint(for: $0) ?? "" },
      commands.map(Action.pressed), headphone.anc, in: modes, headphone.isLive)
    var keyless = all.last
    keyless?.keys = modes.map { _ in "" }
    return all + [keyless].compactMap(\.self)
  }

  /// The headphone's own presets; they have no keys of their own, but can be clicked.
  func equaliserSegments(_ headphone: HeadphoneState) -> [Segments] {
    let presets = headphone.capabilities?.eqPresets ?? []
    return variants(
      presets.map(\.shortTitles), keys: presets.map { _ in "" },
      presets.map(Action.presetChosen), headphone.eq, in: presets, headphone.isLive)
  }

  /// All variants of a choice, from the longest labels to the shortest.
  ///
  /// - Parameters:
  ///   - titles: of each choice as many as there are variants.
  ///   - keys: one for each choice; empty: none.
  ///   - actions: what a click on each choice sends.
  ///   - setting: the choice that is selected, and the one that is pending.
  ///   - choices: the values that `setting` may have.
  ///   - isLive: false draws all of it stale.
  private func variants<Value: Equatable>(
    _ titles: [[String]], keys: [String], _ actions: [Action], _ setting: Setting<Value>,
    in choices: [Value], _ isLive: Bool
  ) -> [Segments] {
    let count = titles.map(\.count).min() ?? 1
    return (0..<count).map { variant in
      Segments(
        labels: titles.map { $0[variant] }, keys: keys, actions: actions,
        selected: setting.confirmed.flatMap { choices.firstIndex(of: $0) },
        pending: setting.pending.flatMap { choices.firstIndex(of: $0) }, isLive: isLive)
    }
  }

  /// The value of a declared setting, by its kind.
  ///
  /// | kind | drawn as |
  /// | --- | --- |
  /// | toggle | "● on", "○ off" |
  /// | choice | segments |
  /// | level | a bar that can be clicked, with "3/10"; from its middle where it can be negative |
  /// | text, paired devices … | its value in words |
  ///
  /// A pending value ends with "…", and an unknown one says so.
  mutating func setting(
    _ declaration: SettingDeclaration, _ headphone: HeadphoneState, _ pen: inout Cursor
  ) {
    if let restriction = headphone.restriction(of: declaration) {
      return write(restriction, .muted, &pen)
    }
    let setting = headphone.setting(declaration.id)
    let role: Role = !headphone.isLive ? .stale : setting.pending == nil ? .value : .pending
    let mark = setting.pending == nil ? "" : symbols.ellipsis
    switch (declaration.kind, setting.shown) {
    case (.choice(let choices), _?):
      segments(
        variants(
          choices.map { [$0.title] }, keys: choices.map { _ in "" }, [], setting.map(\.text),
          in: choices.map(\.id), headphone.isLive),
        &pen)
    case (.level(let range), .level?):
      let level = setting.map { if case .level(let level) = $0 { level } else { 0 } }
      self.level(
        level, min(0, range.bounds.lowerBound)...range.bounds.upperBound, headphone.isLive, &pen,
        setBy: (.setting(declaration.id), .control(.setting(declaration.id))))
    case (.toggle, .toggle(let isOn)?):
      let dot: Role = isOn ? .linkReady : .linkOff
      write(
        (isOn ? symbols.full : symbols.empty) + " ",
        headphone.isLive && mark.isEmpty ? dot : role, &pen)
      write((isOn ? "on" : "off") + mark, isOn || role != .value ? role : .label, &pen)
    case (.action, _): write(mark.isEmpty ? symbols.pointer : mark, .muted, &pen)
    case (_, let value?): write(displayable(declaration.displayText(for: value)) + mark, role, &pen)
    case (_, nil): write("not reported", .unknown, &pen)
    }
  }

  /// A slider over the headphone's levels of noise control; the middle one is what `+` sets where it
  /// is unknown.
  ///
  /// A click on the bar sets the level.
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
    // From 0, also where the lowest level is 1.
    level(
      headphone.ancLevel.map(Int.init), 0...max(1, Int(levels.upperBound)), headphone.isLive, &pen,
      setBy: (.ancLevel, .control(.ancLevel)))
  }

  /// A bar over `bounds` and the level with its highest value, or from the middle and with its sign
  /// if it can be negative; pending levels end with "…".
  private mutating func level(
    _ setting: Setting<Int>, _ bounds: ClosedRange<Int>, _ isLive: Bool, _ pen: inout Cursor,
    setBy target: (Bar, Place)
  ) {
    guard let level = setting.shown else { return }
    let role: Role = !isLive ? .stale : setting.pending == nil ? .barFilled : .pending
    let mark = setting.pending == nil ? "" : symbols.ellipsis
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

  /// The columns of a bar with a number behind it; 0: no room.
  func barColumns(_ pen: Cursor) -> Int {
    let columns = min(28, pen.room - 7)
    return columns < 5 ? 0 : columns
  }

  /// The headphone's own volume, as the sound server's is drawn.
  ///
  /// A muted volume keeps its bar, drawn stale, with the word beside it.
  mutating func ownVolume(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    let setting = headphone.volume
    let (isMuted, mark) = (
      setting.shown?.isMuted == true, setting.pending == nil ? "" : symbols.ellipsis
    )
    let role: Role = !headphone.isLive || isMuted ? .stale : mark.isEmpty ? .barFilled : .pending
    let percent = setting.shown.map { Int($0.level) }
    let start = pen.column
    bar(percent, columns: max(0, min(32, pen.room - 6 - (isMuted ? 6 : 0))), role, &pen)
    settable(from: start, to: pen, .ownVolume, .control(.volume))
    skip(1, &pen)
    let text: Role = percent == nil ? .unknown : mark.isEmpty && !isMuted ? .value : role
    write(percentage(percent) + mark, headphone.isLive ? text : .stale, &pen)
    if isMuted { write(" muted", .warning, &pen) }
  }

  /// Which buds are in an ear.
  mutating func wear(_ headphone: HeadphoneState, _ pen: inout Cursor) {
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
