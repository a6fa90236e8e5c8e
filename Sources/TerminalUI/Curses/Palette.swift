internal import CNcurses

/// The look of each role on one terminal: the only place that knows colours.
struct Palette {
  /// By the role's raw value.
  private let looks: [(attributes: attr_t, pair: Int32)]

  /// - Parameter colors: as many as the terminal has; fewer than 8: attributes only.
  ///
  /// With 8 or more, colours must have been started: `alloc_pair` crashes without.
  init(colors: Int, theme: Theme = .standard) {
    looks = Role.allCases.map { role in
      let (ink, style) = role.appearance(theme, colors: colors)
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

/// A role with 256 colours, with 8, and without any.
private struct Look {
  var rich: ColorPair
  var basic: ColorPair
  /// With colours.
  var style: TextStyle
  /// Without.
  var mono: TextStyle

  init(
    _ rich: Int32 = -1, _ basic: Int32 = -1, on richGround: Int32 = -1,
    basicGround: Int32 = -1, _ style: TextStyle = [], mono: TextStyle = []
  ) {
    self.rich = ColorPair(foreground: rich, background: richGround)
    self.basic = ColorPair(foreground: basic, background: basicGround)
    self.style = style
    self.mono = mono
  }
}

extension Look {
  /// In the terminal's own colours, bright where it has such, and never dim.
  fileprivate func contrasting(colors: Int) -> (ink: ColorPair, style: TextStyle) {
    let marks = mono.union(style).subtracting(.dim)
    // What is chosen is told by reversing: it has the most contrast that there is.
    if basic.background >= 0 { return (ColorPair(), marks.union([.bold, .reverse])) }
    guard basic.foreground > 0 else { return (ColorPair(), marks) }
    let isBright = colors >= 16
    let bright = ColorPair(foreground: basic.foreground + (isBright ? 8 : 0))
    return (bright, marks.union(.bold))
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

extension Role {
  /// How a role looks with so many colours.
  func appearance(_ theme: Theme, colors: Int) -> (ink: ColorPair, style: TextStyle) {
    guard colors >= 8, theme != .monochrome else { return (ColorPair(), look.mono) }
    switch theme {
    case .standard: return (colors >= 256 ? look.rich : look.basic, look.style)
    case .terminal: return (look.basic, look.style)
    case .highContrast, .monochrome: return look.contrasting(colors: colors)
    }
  }

  /// Middle tones, to be read on dark and on light grounds.
  fileprivate var look: Look {
    switch self {
    case .plain, .value: Look()
    case .brand: Look(80, cyan, .bold, mono: .bold)
    case .headline: Look(-1, -1, .bold, mono: .bold)
    case .situation: Look(252, -1)
    case .border: Look(240, -1, mono: .dim)
    case .borderFocused: Look(73, cyan)
    case .title: Look(250, -1, .bold, mono: .bold)
    case .titleFocused: Look(80, cyan, .bold, mono: .bold)
    case .key: Look(179, yellow, mono: .bold)
    case .label: Look(246, -1)
    case .muted: Look(243, -1, mono: .dim)
    case .pending: Look(246, -1, .dim, mono: .dim)
    case .stale: Look(243, -1, mono: .dim)
    case .unknown: Look(240, -1, mono: .dim)
    case .linkReady, .success: Look(78, green)
    case .linkWorking: Look(179, yellow)
    case .linkLost, .error: Look(203, red, .bold, mono: .bold)
    case .linkOff: Look(245, -1)
    case .unknownState: Look(179, yellow)
    case .batteryGood: Look(78, green)
    case .batteryLow: Look(179, yellow)
    case .batteryCritical: Look(203, red, .bold, mono: .bold)
    case .batteryCharging: Look(80, cyan)
    case .barFilled: Look(74, blue)
    case .barEmpty: Look(238, -1, mono: .dim)
    case .segment: Look(250, -1)
    case .segmentSelected: Look(16, black, on: 80, basicGround: cyan, mono: .reverse)
    case .segmentSelectedCap: Look(80, cyan)
    case .segmentPending: Look(80, cyan, on: 237, mono: .underline)
    case .segmentPendingCap: Look(237, -1, mono: .dim)
    case .segmentStale: Look(248, -1, on: 237, mono: .dim)
    case .segmentStaleCap: Look(237, -1, mono: .dim)
    case .rowSelected: Look(80, cyan, .bold, mono: .reverse)
    case .notice: Look(252, -1)
    case .warning: Look(179, yellow, mono: .bold)
    case .overlayBorder: Look(179, yellow)
    case .overlayTitle: Look(179, yellow, .bold, mono: .bold)
    case .button: Look(250, -1, on: 237)
    case .buttonSelected: Look(16, black, on: 179, basicGround: yellow, mono: .reverse)
    case .entry: Look(-1, -1, on: 237, mono: .underline)
    case .cursor: Look(80, cyan, on: 237)
    }
  }
}
