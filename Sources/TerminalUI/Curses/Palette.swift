internal import CNcurses

/// The attributes and colour pair of each role on one terminal: the only place that knows colours.
///
/// With 24-bit colours each one gets a number from 16 on, which curses writes and ``TrueColor``
/// replaces. Otherwise a colour becomes the nearest of the terminal's that keeps its contrast.
struct Palette {
  /// Attributes and pair of each role, by its raw value.
  private let looks: [(attributes: attr_t, pair: Int32)]
  /// The colour that each number stands for where the terminal has 24-bit colours; empty: numbers are
  /// what they are.
  let meanings: [Int32: RGB]

  /// - Parameters:
  ///   - colors: as many as the terminal has; fewer than 8: attributes only. With 8 or more, colours
  ///     must have been started: `alloc_pair` crashes without.
  ///   - background: the terminal's own background.
  ///   - isTrue: whether the terminal has 24-bit colours.
  init(
    colors: Int, theme: Theme = .standard, background: TerminalBackground = .dark,
    isTrue: Bool = false
  ) {
    var meanings: [Int32: RGB] = [:]
    var numbers: [RGB: Int32] = [:]
    func number(_ color: Color) -> Int32 {
      switch color {
      case .own: return -1
      case .number(let number): return number
      case .rgb(let rgb, let background, let contrast):
        guard isTrue else { return Int32(rgb.nearest(on: background, contrast)) }
        // Curses knows 256 colours by number; the colour itself is written with the output.
        let number = numbers[rgb] ?? Int32(16 + numbers.count)
        numbers[rgb] = number
        meanings[number] = rgb
        return number
      }
    }
    looks = Role.allCases.map { role in
      let (ink, attributes) = role.appearance(theme, colors: colors, background: background)
      let (front, back) = (number(ink.foreground), number(ink.background))
      let pair = front < 0 && back < 0 ? 0 : alloc_pair(front, back)
      return (attributes.curses, max(0, pair))
    }
    self.meanings = meanings
  }

  /// Attributes and colour pair, as `setcchar` takes them.
  subscript(role: Role) -> (attributes: attr_t, pair: Int32) { looks[Int(role.rawValue)] }
}

/// A colour of a role, before it is adapted to the terminal.
enum Color: Hashable, Sendable {
  /// The terminal's own text colour or background.
  case own
  /// One of the terminal's 8, 16 or 256 colours.
  case number(Int32)
  /// A colour that is seen on a background, with the range of its contrast there.
  case rgb(RGB, on: RGB, ClosedRange<Double>)
}

extension Color: ExpressibleByIntegerLiteral {
  /// -1 is the terminal's own.
  init(integerLiteral value: Int32) { self = value < 0 ? .own : .number(value) }
}

/// The colours of a character and of the background behind it.
struct ColorPair: Hashable, Sendable {
  var foreground = Color.own
  var background = Color.own
}

/// Attributes that need no colour.
struct TextAttributes: OptionSet, Hashable, Sendable {
  let rawValue: Int
  /// Brighter or thicker, by the terminal.
  static let bold = TextAttributes(rawValue: 1)
  static let dim = TextAttributes(rawValue: 2)
  static let reverse = TextAttributes(rawValue: 4)
  static let underline = TextAttributes(rawValue: 8)

  /// The same as curses' bits.
  var curses: attr_t {
    var attributes: attr_t = 0
    if contains(.bold) { attributes |= cn_bold }
    if contains(.dim) { attributes |= cn_dim }
    if contains(.reverse) { attributes |= cn_reverse }
    if contains(.underline) { attributes |= cn_underline }
    return attributes
  }
}

/// The colours of a theme on one background; -1 is the terminal's own text colour or background.
///
/// Text has a contrast of 4.5 : 1 or more on the background (WCAG 2.2, 1.4.3), what only fills an area 2 : 1
/// or less; a test computes it.
private struct Tones {
  /// Text that is read.
  var text: Color
  /// Text that names a value.
  var label: Color
  /// Text that explains, and values that are unknown.
  var muted: Color
  /// The borders of panels without the focus.
  var frame: Color
  /// What has the focus or is chosen.
  var accent: Color
  /// Text on an area of that colour.
  var onAccent: Color
  /// Keys, warnings, and what is under way.
  var amber: Color
  /// The background and text of the button that Enter presses.
  var button: Color
  var onButton: Color
  /// What works, and full batteries.
  var good: Color
  /// Errors, and nearly empty batteries.
  var bad: Color
  /// Between amber and bad, for gauges; nil: amber.
  var orange: Color?
  /// What has no colour of its own: the terminal's, unless a theme brings its background along.
  var plain = Color.own
  var background = Color.own
  /// Behind what is bad, where no red can be read on the background itself.
  var badBackground = Color.own
  var charging: Color
  var bar: Color
  /// The empty part of a bar.
  var track: Color
  /// The background of text fields, buttons and chips that are not active.
  var field: Color
  /// The accent on that background.
  var onField: Color
  /// Text on that background; nil: as elsewhere.
  var fieldText: Color?
  var fieldLabel: Color?

  /// The built-in tones: xterm's 256 colours, or the eight that the terminal's owner chose.
  static func of(_ background: TerminalBackground, colors: Int) -> Tones {
    switch (background, colors >= 256) {
    case (.dark, true):
      Tones(
        text: 252, label: 250, muted: 247, frame: 245, accent: 80, onAccent: 16, amber: 179,
        button: 179, onButton: 16, good: 78, bad: 203, charging: 80, bar: 74, track: 237,
        field: 237,
        onField: 80)
    case (.light, true):
      Tones(
        text: 236, label: 238, muted: 241, frame: 242, accent: 24, onAccent: 231, amber: 94,
        button: 94, onButton: 231, good: 22, bad: 160, charging: 24, bar: 25, track: 251,
        field: 254,
        onField: 24)
    // The eight colours that every colour terminal has, as far as xterm's can be read.
    case (.dark, false):
      Tones(
        text: -1, label: -1, muted: -1, frame: -1, accent: cyan, onAccent: black, amber: yellow,
        button: yellow, onButton: black, good: green, bad: white, badBackground: red,
        charging: cyan,
        bar: cyan, track: -1, field: -1, onField: cyan)
    case (.light, false):
      Tones(
        text: -1, label: -1, muted: -1, frame: -1, accent: blue, onAccent: white, amber: magenta,
        button: blue, onButton: white, good: -1, bad: red, charging: blue, bar: blue, track: -1,
        field: -1, onField: blue)
    }
  }

  /// The colours of a theme, each as it can be read, or only fills, on the theme's background.
  ///
  /// - Parameter background: the terminal's; where it is another, the theme's background is painted.
  static func of(_ colors: ThemeColors, on terminal: TerminalBackground) -> Tones {
    let background = colors[.background]
    func text(_ key: ThemeColors.Key) -> Color {
      .rgb(colors[key].legible(on: background), on: background, 4.5...21)
    }
    func fill(_ key: ThemeColors.Key) -> Color {
      .rgb(colors[key].receding(on: background), on: background, 1...2)
    }
    func area(_ key: ThemeColors.Key) -> (background: Color, front: Color) {
      // More than text needs, so that the two also differ among 256 colours.
      let rgb = colors[key].legible(on: background, 5.5)
      return (
        .rgb(rgb, on: background, 4.5...21), .rgb(background.legible(on: rgb), on: rgb, 4.5...21)
      )
    }
    let track = colors[.track].receding(on: background)
    // The nearest of 256 to the track may be a little lighter or darker than it.
    func onTrack(_ key: ThemeColors.Key) -> Color {
      .rgb(colors[key].legible(on: track, 5.5), on: track, 5.5...21)
    }
    let (accent, onAccent) = area(.accent)
    let (button, onButton) = area(.yellow)
    var tones = Tones(
      text: text(.text), label: text(.label), muted: text(.muted), frame: text(.border),
      accent: accent, onAccent: onAccent, amber: text(.yellow), button: button, onButton: onButton,
      good: text(.green), bad: text(.red), charging: text(.charging), bar: text(.bar),
      track: fill(.track), field: fill(.track), onField: onTrack(.accent))
    tones.orange = text(.orange)
    tones.plain = text(.text)
    tones.fieldText = onTrack(.text)
    tones.fieldLabel = onTrack(.label)
    if colors.background != terminal { tones.background = .rgb(background, on: background, 1...21) }
    return tones
  }

  /// The same in bright colours, where a dark background has such.
  func contrasting(on terminal: TerminalBackground, colors: Int) -> Tones {
    guard terminal == .dark, colors >= 16 else { return self }
    var tones = self
    (tones.accent, tones.onField, tones.charging, tones.bar) = (14, 14, 14, 14)
    (tones.amber, tones.button, tones.good) = (11, 11, 10)
    (tones.bad, tones.badBackground) = (9, -1)
    return tones
  }
}

/// The eight colours that every colour terminal has.
private let black: Color = 0
private let red: Color = 1
private let green: Color = 2
private let yellow: Color = 3
private let blue: Color = 4
private let magenta: Color = 5
private let cyan: Color = 6
private let white: Color = 7

/// A role's colours among the tones, its attributes with colours, and those without any.
///
/// `mono` is for terminals without colour and for `NO_COLOR`: what colour says there must also be
/// said by bold, dim, underline or reverse, or by a symbol.
private struct Look {
  var foreground: KeyPath<Tones, Color>
  var background: KeyPath<Tones, Color>
  var attributes: TextAttributes
  var mono: TextAttributes

  init(
    _ foreground: KeyPath<Tones, Color>, on background: KeyPath<Tones, Color> = \.background,
    _ attributes: TextAttributes = [], mono: TextAttributes = []
  ) {
    self.foreground = foreground
    self.background = background
    self.attributes = attributes
    self.mono = mono
  }

  /// The colours among these tones.
  func ink(_ tones: Tones) -> ColorPair {
    ColorPair(foreground: tones[keyPath: foreground], background: tones[keyPath: background])
  }
}

extension Role {
  /// The colours and attributes of the role on a terminal of so many colours.
  ///
  /// - Parameters:
  ///   - theme: The theme that was chosen.
  ///   - colors: As many as the terminal has; fewer than 8: the attributes alone.
  ///   - background: The terminal's own background.
  /// - Returns: Colours, and the attributes to draw with.
  func appearance(
    _ theme: Theme, colors: Int, background: TerminalBackground = .dark
  ) -> (ink: ColorPair, attributes: TextAttributes) {
    guard colors >= 8, theme != .monochrome else { return (ColorPair(), look.mono) }
    if let own = theme.colors, colors >= 256 {
      return (look.ink(.of(own, on: background)), look.attributes)
    }
    let depth = theme == .standard ? colors : min(colors, 16)
    let tones = Tones.of(background, colors: depth)
    guard theme == .highContrast else {
      let ink = look.ink(tones)
      // None of the eight is between text and background on every terminal; black may be the background.
      if isFill, ink == ColorPair() { return (ink, look.attributes.union(.dim)) }
      // A field without a background of its own is seen by its line.
      let hasGround = look.background != \.field || tones.field != .own
      return (
        ink, hasGround ? look.attributes : look.attributes.union(look.mono.intersection(.underline))
      )
    }
    let ink = look.ink(tones.contrasting(on: background, colors: depth))
    let marks = look.mono.union(look.attributes).subtracting(.dim)
    // What is chosen is reversed: it has the most contrast that there is.
    if marks.contains(.reverse) { return (ColorPair(), marks.union(.bold)) }
    return (ink, ink.foreground == .own || self == .barEmpty ? marks : marks.union(.bold))
  }

  /// What fills an area beside or behind text, and is not read itself.
  var isFill: Bool {
    switch self {
    case .barEmpty, .segmentPendingCap, .segmentStaleCap: true
    default: false
    }
  }

  /// The one table of all roles.
  private var look: Look {
    switch self {
    case .plain, .value: Look(\.plain)
    case .headline: Look(\.plain, .bold, mono: .bold)
    case .brand, .titleFocused: Look(\.accent, .bold, mono: .bold)
    case .situation, .notice, .segment: Look(\.text)
    case .title: Look(\.text, .bold, mono: .bold)
    case .border: Look(\.frame, mono: .dim)
    case .borderFocused, .segmentSelectedCap: Look(\.accent)
    case .key: Look(\.amber, mono: .bold)
    case .label, .linkOff: Look(\.label)
    case .muted, .pending, .stale, .unknown: Look(\.muted, mono: .dim)
    case .linkReady, .success, .batteryGood: Look(\.good)
    case .linkWorking, .unknownState, .overlayBorder: Look(\.amber)
    case .batteryLow: Look(\.warm)
    case .gaugeCritical: Look(\.critical)
    case .warning: Look(\.amber, mono: .bold)
    case .linkLost, .error, .batteryCritical: Look(\.bad, on: \.behindBad, .bold, mono: .bold)
    case .batteryCharging: Look(\.charging)
    case .barFilled: Look(\.bar)
    case .barEmpty: Look(\.track, mono: .dim)
    case .segmentSelected: Look(\.onAccent, on: \.accent, mono: .reverse)
    case .segmentPending: Look(\.onField, on: \.field, mono: .underline)
    case .segmentStale: Look(\.labelOnField, on: \.field, mono: .dim)
    case .segmentPendingCap, .segmentStaleCap: Look(\.field, mono: .dim)
    case .rowSelected: Look(\.accent, .bold, mono: .reverse)
    case .overlayTitle: Look(\.amber, .bold, mono: .bold)
    case .button: Look(\.labelOnField, on: \.field)
    case .buttonSelected: Look(\.onButton, on: \.button, mono: .reverse)
    case .entry: Look(\.textOnField, on: \.field, mono: .underline)
    case .cursor: Look(\.onField, on: \.field)
    }
  }
}

extension Tones {
  /// The background behind errors, red where red text could not be read.
  fileprivate var behindBad: Color { badBackground == .own ? background : badBackground }
  /// A block is seen in its own colour, not in the one behind it.
  fileprivate var critical: Color { badBackground == .own ? bad : amber }
  fileprivate var warm: Color { orange ?? amber }
  fileprivate var textOnField: Color { fieldText ?? text }
  fileprivate var labelOnField: Color { fieldLabel ?? label }
}
