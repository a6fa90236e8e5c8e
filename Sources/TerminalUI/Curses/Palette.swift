internal import CNcurses

/// The attributes and colour pair of each role on one terminal: the only place that knows colours.
///
/// With 24-bit colours each one gets a number from 16 on, which curses writes and ``TrueColor``
/// replaces. Otherwise each colour becomes the terminal's nearest one with sufficient contrast.
struct Palette {
  private let looks: [(attributes: attr_t, pair: Int32)]
  /// The 24-bit colour of each colour number; empty if the terminal has no 24-bit colours.
  let meanings: [Int32: RGB]

  /// Creates a palette.
  ///
  /// - Parameters:
  ///   - colors: The number of colours; attributes only if fewer than 8. From 8 on, colours must
  ///     have been started, as `alloc_pair` crashes otherwise.
  ///   - isTrue: Whether the terminal has 24-bit colours, though curses only numbers 256.
  init(
    colors: Int, theme: Theme = .standard, background: TerminalBackground = .dark,
    isTrue: Bool = false
  ) {
    var meanings: [Int32: RGB] = [:]
    var numbers: [RGB: Int32] = [:]
    func number(_ color: Color) -> Int32 {
      switch color {
      case .own: return -1
      case .number(let number):
        return colors > 256 && number >= 8 ? RGB(xterm: Int(number)).directNumber : number
      case .rgb(let rgb, let background, let contrast):
        guard colors <= 256 else { return rgb.directNumber }
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

  subscript(role: Role) -> (attributes: attr_t, pair: Int32) { looks[Int(role.rawValue)] }
}

extension RGB {
  /// The number of the colour on a terminal of direct colours, such as `xterm-direct`.
  ///
  /// It is 0xRRGGBB, but 0 to 255 may be palette numbers (terminfo's "direct color" entries), so
  /// such a blue gets the least red.
  fileprivate var directNumber: Int32 { Int32(value > 255 ? value : value | 0x01_0000) }
}

enum Color: Hashable, Sendable {
  case own
  case number(Int32)
  /// A colour, the background behind it, and the range of its contrast there.
  case rgb(RGB, on: RGB, ClosedRange<Double>)
}

extension Color: ExpressibleByIntegerLiteral {
  init(integerLiteral value: Int32) { self = value < 0 ? .own : .number(value) }
}

struct ColorPair: Hashable, Sendable {
  var foreground = Color.own
  var background = Color.own
}

struct TextAttributes: OptionSet, Hashable, Sendable {
  let rawValue: Int
  static let bold = TextAttributes(rawValue: 1)
  static let dim = TextAttributes(rawValue: 2)
  static let reverse = TextAttributes(rawValue: 4)
  static let underline = TextAttributes(rawValue: 8)

  var curses: attr_t {
    var attributes: attr_t = 0
    if contains(.bold) { attributes |= cn_bold }
    if contains(.dim) { attributes |= cn_dim }
    if contains(.reverse) { attributes |= cn_reverse }
    if contains(.underline) { attributes |= cn_underline }
    return attributes
  }
}

/// The colours of a theme on one background; -1 is the terminal's default.
///
/// Text has a contrast of at least 4.5 : 1 on the background (WCAG 2.2, 1.4.3), areas have at most
/// 2 : 1. A test computes the contrasts.
private struct Tones {
  var text: Color
  var label: Color
  var muted: Color
  var frame: Color
  var accent: Color
  var onAccent: Color
  var amber: Color
  var button: Color
  var onButton: Color
  var good: Color
  var bad: Color
  /// The colour between amber and bad, for gauges, or nil to use amber.
  var orange: Color?
  /// The terminal's default, unless the theme's background is painted.
  var plain = Color.own
  var background = Color.own
  /// The background behind errors, where no red is legible on the usual background.
  var badBackground = Color.own
  var charging: Color
  var bar: Color
  var track: Color
  var field: Color
  var onField: Color
  var fieldText: Color?
  var fieldLabel: Color?

  /// Returns the built-in tones, from xterm's 256 colours or the terminal's eight.
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
    // The eight colours of every colour terminal, as far as xterm's are legible.
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

  /// Returns the tones of a theme, with the contrasts that text and areas need.
  ///
  /// If only one of the theme and `terminal` is dark, the theme's background is painted.
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
    // The nearest of 256 colours may be a little lighter or darker than the track.
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

  func contrasting(on terminal: TerminalBackground, colors: Int) -> Tones {
    guard terminal == .dark, colors >= 16 else { return self }
    var tones = self
    (tones.accent, tones.onField, tones.charging, tones.bar) = (14, 14, 14, 14)
    (tones.amber, tones.button, tones.good) = (11, 11, 10)
    (tones.bad, tones.badBackground) = (9, -1)
    return tones
  }
}

private let black: Color = 0
private let red: Color = 1
private let green: Color = 2
private let yellow: Color = 3
private let blue: Color = 4
private let magenta: Color = 5
private let cyan: Color = 6
private let white: Color = 7

/// The colours and attributes of a role, and its attributes without colours (`mono`).
///
/// Whatever colour expresses, `mono` must also express by bold, dim, underline or reverse, unless a
/// symbol does.
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

  func ink(_ tones: Tones) -> ColorPair {
    ColorPair(foreground: tones[keyPath: foreground], background: tones[keyPath: background])
  }
}

extension Role {
  /// Returns the colours and attributes of the role; only attributes if `colors` is below 8.
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
      // None of the eight lies between text and background on every terminal; black may be the
      // background.
      if isFill, ink == ColorPair() { return (ink, look.attributes.union(.dim)) }
      // A field without a background is visible by its underline.
      let hasGround = look.background != \.field || tones.field != .own
      return (
        ink, hasGround ? look.attributes : look.attributes.union(look.mono.intersection(.underline))
      )
    }
    let ink = look.ink(tones.contrasting(on: background, colors: depth))
    let marks = look.mono.union(look.attributes).subtracting(.dim)
    // Reverse video with the default colours has the highest contrast.
    if marks.contains(.reverse) { return (ColorPair(), marks.union(.bold)) }
    return (ink, ink.foreground == .own || self == .barEmpty ? marks : marks.union(.bold))
  }

  var isFill: Bool {
    switch self {
    case .barEmpty, .segmentPendingCap, .segmentStaleCap: true
    default: false
    }
  }

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
  fileprivate var behindBad: Color { badBackground == .own ? background : badBackground }
  /// The colour of a critical gauge, whose blocks show their foreground colour.
  fileprivate var critical: Color { badBackground == .own ? bad : amber }
  fileprivate var warm: Color { orange ?? amber }
  fileprivate var textOnField: Color { fieldText ?? text }
  fileprivate var labelOnField: Color { fieldLabel ?? label }
}
