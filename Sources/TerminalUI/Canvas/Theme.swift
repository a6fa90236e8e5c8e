/// A set of colours for the roles.
package struct Theme: RawRepresentable, Hashable, Sendable, CaseIterable {
  package let rawValue: String
  package let colors: ThemeColors?

  /// 256 colours, chosen for the terminal's background.
  package static let standard = Theme(name: "standard")
  /// Only the eight colours that the terminal's theme defines.
  package static let terminal = Theme(name: "terminal")
  /// Bright or bold on the terminal's background; nothing is dim.
  package static let highContrast = Theme(name: "high-contrast")
  /// Bold, dim, underlined and reversed only.
  package static let monochrome = Theme(name: "monochrome")

  package static let allCases = [standard, terminal, highContrast, monochrome] + palettes

  package init(name: String, _ colors: ThemeColors) {
    rawValue = name
    self.colors = colors
  }

  private init(name: String) {
    rawValue = name
    colors = nil
  }

  package init?(rawValue: String) {
    guard let theme = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = theme
  }
}

package enum TerminalBackground: Hashable, Sendable, CaseIterable {
  case dark, light

  /// Creates the kind of a colour: light if black has the greater contrast on it (WCAG 2.2).
  init(red: Double, green: Double, blue: Double) {
    func linear(_ part: Double) -> Double { part * part }
    let luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    self = luminance > 0.18 ? .light : .dark
  }

  /// Reads `COLORFGBG`, such as "0;15" or "15;default;0"; the last number is the background.
  init?(variable: String) {
    guard let last = variable.split(separator: ";").last, let number = Int(last) else { return nil }
    switch number {
    case 0...6, 8: self = .dark
    case 7, 9...15: self = .light
    default: return nil
    }
  }
}

package enum BackgroundChoice: String, Hashable, Sendable, CaseIterable {
  /// The background that the terminal reports (OSC 11), else that of `COLORFGBG`, else dark.
  ///
  /// Drawing does not wait for the report: the screen is redrawn if it differs.
  case auto
  case dark, light

  var background: TerminalBackground? {
    switch self {
    case .auto: nil
    case .dark: .dark
    case .light: .light
    }
  }
}
