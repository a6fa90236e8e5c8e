/// The appearance of the roles, as it is chosen.
///
/// A theme gives every ``Role`` its colours. Four are built in and adapt to the terminal's
/// background and number of colours, the rest are palettes of thirteen colours (``ThemeColors``).
///
/// ```swift
/// let theme = Theme(rawValue: "nord") ?? .standard
/// terminal.apply(theme, background: .auto)
/// ```
public struct Theme: RawRepresentable, Hashable, Sendable, CaseIterable {
  /// The name in the configuration.
  public let rawValue: String
  /// Nil: of a theme that is made of the terminal's own colours.
  package let colors: ThemeColors?

  /// 256 colours, chosen for the terminal's background.
  public static let standard = Theme(name: "standard")
  /// Only the eight colours that the terminal's own theme defines.
  public static let terminal = Theme(name: "terminal")
  /// Bright or bold on the terminal's own background; nothing is dim.
  public static let highContrast = Theme(name: "high-contrast")
  /// Bold, dim, underlined and reversed only.
  public static let monochrome = Theme(name: "monochrome")

  /// The order in which they are listed.
  public static let allCases = [standard, terminal, highContrast, monochrome] + palettes

  /// A theme of the user's own.
  public init(name: String, _ colors: ThemeColors) {
    rawValue = name
    self.colors = colors
  }

  private init(name: String) {
    rawValue = name
    colors = nil
  }

  /// One of those that come with the program; nil: none has this name.
  public init?(rawValue: String) {
    guard let theme = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = theme
  }
}

/// The terminal's own background.
public enum TerminalBackground: Hashable, Sendable, CaseIterable {
  case dark, light

  /// By the brightness of a colour whose parts go from 0 to 1: on a light one black has the greater
  /// contrast (WCAG 2.2, relative luminance).
  init(red: Double, green: Double, blue: Double) {
    func linear(_ part: Double) -> Double { part * part }
    let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    self = luminance > 0.18 ? .light : .dark
  }

  /// What `COLORFGBG` says, such as "0;15" or "15;default;0": the last is the background's number.
  init?(variable: String) {
    guard let last = variable.split(separator: ";").last, let number = Int(last) else { return nil }
    switch number {
    case 0...6, 8: self = .dark
    case 7, 9...15: self = .light
    default: return nil
    }
  }
}

/// Which background the colours are chosen for.
///
/// With `auto` the program draws for the likely background at once and redraws if the terminal's answer
/// differs, so a terminal that does not answer costs nothing.
public enum BackgroundChoice: String, Hashable, Sendable, CaseIterable {
  /// The one that the terminal answers (OSC 11), else the one of `COLORFGBG`, else dark.
  case auto
  case dark, light

  /// Nil: the terminal is asked.
  var background: TerminalBackground? {
    switch self {
    case .auto: nil
    case .dark: .dark
    case .light: .light
    }
  }
}
