internal import CNcurses

/// The attributes and colour pair of each role on one terminal: the only place that knows colours.
struct Palette {
  /// By the role's raw value.
  private let looks: [(attributes: attr_t, pair: Int32)]

  /// - Parameters:
  ///   - colors: as many as the terminal has; fewer than 8: attributes only. With 8 or more, colours
  ///     must have been started: `alloc_pair` crashes without.
  ///   - ground: the terminal's own background.
  init(colors: Int, theme: Theme = .standard, ground: Ground = .dark) {
    looks = Role.allCases.map { role in
      let (ink, style) = role.appearance(theme, colors: colors, ground: ground)
      let pair = ink == ColorPair() ? 0 : alloc_pair(ink.foreground, ink.background)
      return (style.curses, max(0, pair))
    }
  }

  subscript(role: Role) -> (attributes: attr_t, pair: Int32) { looks[Int(role.rawValue)] }
}

/// Colour numbers; -1 is the terminal's own.
struct ColorPair: Hashable, Sendable {
  var foreground: Int32 = -1
  var background: Int32 = -1
}

struct TextStyle: OptionSet, Hashable, Sendable {
  let rawValue: Int
  static let bold = TextStyle(rawValue: 1)
  static let dim = TextStyle(rawValue: 2)
  static let reverse = TextStyle(rawValue: 4)
  static let underline = TextStyle(rawValue: 8)

  var curses: attr_t {
    var attributes: attr_t = 0
    if contains(.bold) { attributes |= cn_bold }
    if contains(.dim) { attributes |= cn_dim }
    if contains(.reverse) { attributes |= cn_reverse }
    if contains(.underline) { attributes |= cn_underline }
    return attributes
  }
}

/// The colours of a theme on one ground; -1 is the terminal's own text colour or background.
///
/// Text has a contrast of 4.5 : 1 or more on the ground (WCAG 2.2, 1.4.3), what only fills an area 2 : 1
/// or less; a test computes it.
private struct Tones {
  /// Text that is read, and text that explains.
  var text: Int32
  var label: Int32
  var muted: Int32
  var frame: Int32
  /// What has the focus or is chosen, and text on an area of that colour.
  var accent: Int32
  var onAccent: Int32
  /// Keys, warnings, and what is under way.
  var amber: Int32
  /// The ground and text of the button that Enter presses.
  var button: Int32
  var onButton: Int32
  var good: Int32
  var bad: Int32
  /// Behind what is bad, where no red can be read on the ground itself.
  var badGround: Int32 = -1
  var charging: Int32
  var bar: Int32
  /// The empty part of a bar.
  var track: Int32
  /// The ground of text fields, buttons and chips that are not in force.
  var field: Int32
  /// The accent on that ground.
  var onField: Int32

  static func of(_ ground: Ground, colors: Int) -> Tones {
    switch (ground, colors >= 256) {
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
        button: yellow, onButton: black, good: green, bad: white, badGround: red, charging: cyan,
        bar: cyan, track: black, field: -1, onField: cyan)
    case (.light, false):
      Tones(
        text: -1, label: -1, muted: -1, frame: -1, accent: blue, onAccent: white, amber: magenta,
        button: blue, onButton: white, good: -1, bad: red, charging: blue, bar: blue, track: white,
        field: -1, onField: blue)
    }
  }

  /// The same in bright colours, where a dark ground has such.
  func contrasting(on ground: Ground, colors: Int) -> Tones {
    guard ground == .dark, colors >= 16 else { return self }
    var tones = self
    (tones.accent, tones.onField, tones.charging, tones.bar) = (14, 14, 14, 14)
    (tones.amber, tones.button, tones.good) = (11, 11, 10)
    (tones.bad, tones.badGround) = (9, -1)
    return tones
  }
}

/// The eight colours that every colour terminal has.
private let black: Int32 = 0
private let red: Int32 = 1
private let green: Int32 = 2
private let yellow: Int32 = 3
private let blue: Int32 = 4
private let magenta: Int32 = 5
private let cyan: Int32 = 6
private let white: Int32 = 7

/// A role's colours among the tones, its style with colours, and its style without any.
private struct Look {
  var foreground: KeyPath<Tones, Int32>
  var background: KeyPath<Tones, Int32>
  var style: TextStyle
  var mono: TextStyle

  init(
    _ foreground: KeyPath<Tones, Int32>, on background: KeyPath<Tones, Int32> = \.own,
    _ style: TextStyle = [], mono: TextStyle = []
  ) {
    self.foreground = foreground
    self.background = background
    self.style = style
    self.mono = mono
  }

  func ink(_ tones: Tones) -> ColorPair {
    ColorPair(foreground: tones[keyPath: foreground], background: tones[keyPath: background])
  }
}

extension Role {
  /// The colours and style of the role on a terminal of so many colours.
  func appearance(
    _ theme: Theme, colors: Int, ground: Ground = .dark
  ) -> (ink: ColorPair, style: TextStyle) {
    guard colors >= 8, theme != .monochrome else { return (ColorPair(), look.mono) }
    let depth = theme == .standard ? colors : min(colors, 16)
    let tones = Tones.of(ground, colors: depth)
    guard theme == .highContrast else { return (look.ink(tones), look.style) }
    let ink = look.ink(tones.contrasting(on: ground, colors: depth))
    let marks = look.mono.union(look.style).subtracting(.dim)
    // What is chosen is reversed: it has the most contrast that there is.
    if marks.contains(.reverse) { return (ColorPair(), marks.union(.bold)) }
    return (ink, ink.foreground == -1 || self == .barEmpty ? marks : marks.union(.bold))
  }

  /// What fills an area beside or behind text, and is not read itself.
  var isFill: Bool {
    switch self {
    case .barEmpty, .segmentPendingCap, .segmentStaleCap: true
    default: false
    }
  }

  private var look: Look {
    switch self {
    case .plain, .value: Look(\.own)
    case .headline: Look(\.own, .bold, mono: .bold)
    case .brand, .titleFocused: Look(\.accent, .bold, mono: .bold)
    case .situation, .notice, .segment: Look(\.text)
    case .title: Look(\.text, .bold, mono: .bold)
    case .border: Look(\.frame, mono: .dim)
    case .borderFocused, .segmentSelectedCap: Look(\.accent)
    case .key: Look(\.amber, mono: .bold)
    case .label, .linkOff: Look(\.label)
    case .muted, .pending, .stale, .unknown: Look(\.muted, mono: .dim)
    case .linkReady, .success, .batteryGood: Look(\.good)
    case .linkWorking, .unknownState, .batteryLow, .overlayBorder: Look(\.amber)
    case .warning: Look(\.amber, mono: .bold)
    case .linkLost, .error, .batteryCritical: Look(\.bad, on: \.badGround, .bold, mono: .bold)
    case .batteryCharging: Look(\.charging)
    case .barFilled: Look(\.bar)
    case .gauge1: Look(\.bad, on: \.badGround)
    case .gauge2, .gauge3: Look(\.amber)
    case .gauge4: Look(\.good)
    case .barEmpty: Look(\.track, mono: .dim)
    case .segmentSelected: Look(\.onAccent, on: \.accent, mono: .reverse)
    case .segmentPending: Look(\.onField, on: \.field, mono: .underline)
    case .segmentStale: Look(\.label, on: \.field, mono: .dim)
    case .segmentPendingCap, .segmentStaleCap: Look(\.field, mono: .dim)
    case .rowSelected: Look(\.accent, .bold, mono: .reverse)
    case .overlayTitle: Look(\.amber, .bold, mono: .bold)
    case .button: Look(\.label, on: \.field)
    case .buttonSelected: Look(\.onButton, on: \.button, mono: .reverse)
    case .entry: Look(\.text, on: \.field, mono: .underline)
    case .cursor: Look(\.onField, on: \.field)
    }
  }
}

extension Tones {
  fileprivate var own: Int32 { -1 }
}
