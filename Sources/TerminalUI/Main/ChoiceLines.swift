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
  /// Five or six variants, from symbols and full titles to two letters; the first that fits is
  /// drawn.
  func noiseSegments(_ headphone: HeadphoneState) -> [Segments] {
    let modes = headphone.capabilities?.ancModes ?? []
    let commands = modes.map(UserCommand.setANC)
    let titles = modes.map { mode in
      (symbols.repertoire == .unicode && symbols.steps.count == 8
        ? ["\(mode.glyph) \(mode.title)", "\(mode.glyph) \(mode.shortTitles[1])"] : [])
        + mode.shortTitles
    }
    return variants(
      titles, keys: commands.map { style.hint(for: $0) ?? "" },
      commands.map(Action.pressed), headphone.anc, in: modes, headphone.isLive)
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
  /// | choice | segments |
  /// | level | a bar that can be clicked, with "3/10", or "+3" if it can be negative |
  /// | toggle, text, paired devices … | its value in words, with "…" while it is pending |
  mutating func setting(
    _ declaration: SettingDeclaration, _ headphone: HeadphoneState, _ pen: inout Cursor
  ) {
    if let restriction = headphone.restriction(of: declaration) {
      return write(restriction, .muted, &pen)
    }
    let setting = headphone.setting(declaration.id)
    switch declaration.kind {
    case .choice(let choices):
      segments(
        variants(
          choices.map { [$0.title] }, keys: choices.map { _ in "" }, [], setting.map(\.text),
          in: choices.map(\.id), headphone.isLive),
        &pen)
    case .level(let range):
      let level = setting.map { if case .level(let level) = $0 { level } else { 0 } }
      self.level(
        level, min(0, range.bounds.lowerBound)...range.bounds.upperBound, headphone.isLive, &pen,
        setBy: (.setting(declaration.id), .control(.setting(declaration.id))))
    case .toggle, .bands, .text, .action, .reading, .pairedDevices:
      let mark = setting.pending == nil ? "" : symbols.ellipsis
      let role: Role =
        !headphone.isLive
        ? .stale : setting.shown == nil ? .unknown : mark.isEmpty ? .value : .pending
      let words = setting.shown.map { displayable(declaration.displayText(for: $0)) } ?? "--"
      write(words + mark, role, &pen)
    }
  }

  /// A slider over the headphone's levels of noise control.
  ///
  /// A click on the bar sets the level.
  mutating func level(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    if let declaration = headphone.capabilities?.declaration(of: .ambientLevel),
      let restriction = headphone.restriction(of: declaration)
    {
      return write(restriction, .muted, &pen)
    }
    // From 0, also where the lowest level is 1.
    let highest = Int(headphone.capabilities?.ancLevels.upperBound ?? 10)
    level(
      headphone.ancLevel.map(Int.init), 0...max(1, highest), headphone.isLive, &pen,
      setBy: (.ancLevel, .control(.ancLevel)))
  }

  /// A bar over `bounds` and the level with its highest value, or with its sign if it can be negative;
  /// pending levels end with "…".
  private mutating func level(
    _ setting: Setting<Int>, _ bounds: ClosedRange<Int>, _ isLive: Bool, _ pen: inout Cursor,
    setBy target: (Bar, Place)? = nil
  ) {
    let highest = bounds.upperBound
    let role: Role = !isLive ? .stale : setting.pending == nil ? .barFilled : .pending
    let columns = barColumns(pen)
    let span = max(1, highest - bounds.lowerBound)
    let start = pen.column
    bar(
      setting.shown.map { ($0 - bounds.lowerBound) * 100 / span }, columns: columns, role, &pen)
    if let target { settable(from: start, to: pen, target.0, target.1) }
    guard let level = setting.shown else {
      return write(columns > 0 ? " " + percentage(nil) : "--", .unknown, &pen)
    }
    let mark = setting.pending == nil ? "" : symbols.ellipsis
    skip(columns > 0 ? 1 : 0, &pen)
    let number = bounds.lowerBound < 0 && level > 0 ? "+\(level)" : "\(level)"
    let whole = bounds.lowerBound < 0 ? number + mark : "\(number)/\(highest)\(mark)"
    let text = whole.columns <= pen.room ? whole : number + mark
    write(text, !isLive ? .stale : mark.isEmpty ? .value : .pending, &pen)
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

  /// Which buds are in an ear, and whether wear detection is on.
  ///
  /// A headphone that can switch detection on and off but reports no state shows the switch alone.
  /// A click on it toggles it.
  mutating func wear(_ headphone: HeadphoneState, _ pen: inout Cursor) {
    let isLive = headphone.isLive
    let isRoomy = pen.room >= 42
    let hasDetection = headphone.capabilities?.declares(.wearDetection) == true
    // Some headphones can enable detection without reporting its state.
    let isReported = headphone.wearing != nil || !hasDetection
    let wearing = headphone.wearing ?? Wearing(left: nil, right: nil)
    let buds = [("left", wearing.left), ("right", wearing.right)]
    for (name, isWorn) in isReported ? buds : [] {
      let (mark, words, role): (String, String, Role) =
        switch isWorn {
        case true: (symbols.full, isRoomy ? "in ear" : "in", .linkReady)
        case false: (symbols.empty, "out", .linkOff)
        case nil: ("?", "--", .unknown)
        }
      write(mark + " ", isLive ? role : .stale, &pen)
      write("\(name) \(words)  ", isLive && isWorn != nil ? .value : .stale, &pen)
    }
    guard hasDetection else { return }
    let detection = headphone.setting(.wearDetection)
    let value = detection.shown?.text ?? "--"
    let mark = detection.pending == nil ? "" : symbols.ellipsis
    let text = (isRoomy ? "detection " : "detect ") + value + mark
    guard text.columns <= pen.room else { return }
    let start = pen.column
    write(text, mark.isEmpty ? .muted : .pending, &pen)
    clickable(from: start, to: pen, .toggleWearDetection)
  }
}
