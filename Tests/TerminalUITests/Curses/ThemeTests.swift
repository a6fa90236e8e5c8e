import Glibc
import Testing

@testable import TerminalUI

@Suite struct ThemeTests {
  @Test func `nothing is dim in high contrast`() {
    for colors in [8, 16, 256] {
      for role in Role.allCases {
        #expect(
          !role.appearance(.highContrast, colors: colors).attributes.contains(.dim), "\(role)")
      }
    }
  }

  @Test func `monochrome has no colours, on any terminal`() {
    for role in Role.allCases {
      #expect(role.appearance(.monochrome, colors: 256).ink == ColorPair(), "\(role)")
      #expect(
        role.appearance(.monochrome, colors: 256).attributes
          == role.appearance(.standard, colors: 0).attributes)
    }
  }

  @Test func `the terminal's own colours are the first eight`() {
    for role in Role.allCases {
      let ink = role.appearance(.terminal, colors: 256).ink
      for color in [ink.foreground, ink.background] {
        guard case .number(let number) = color else {
          #expect(color == .own, "\(role)")
          continue
        }
        #expect((0...7).contains(number), "\(role)")
      }
    }
  }

  @Test(arguments: Theme.allCases)
  func `what is chosen differs from what is not`(theme: Theme) {
    for colors in [0, 8, 256] {
      #expect(
        role(.segmentSelected, theme, colors) != role(.segment, theme, colors)
          && role(.buttonSelected, theme, colors) != role(.button, theme, colors))
    }
  }

  @Test(arguments: Theme.allCases, TerminalBackground.allCases)
  func `a text field is seen on every terminal`(theme: Theme, background: TerminalBackground) {
    for colors in [0, 8, 16, 256] {
      let (ink, attributes) = Role.entry.appearance(theme, colors: colors, background: background)
      #expect(
        ink.background != .own || attributes.contains(.underline), "\(colors) colours")
    }
  }

  /// Any of the eight colours may be the background, so empty bars and guides are never black.
  @Test(arguments: [Theme.standard, .terminal, .highContrast], TerminalBackground.allCases)
  func `the empty part of a bar is seen on eight and sixteen colours`(
    theme: Theme, background: TerminalBackground
  ) {
    for colors in [8, 16] {
      for role in Role.allCases where role.isFill {
        let (ink, attributes) = role.appearance(theme, colors: colors, background: background)
        #expect(ink == ColorPair() || !attributes.contains(.dim), "\(role)")
        #expect(
          role.contrasts(theme, colors: colors, background: background).allSatisfy { $0 > 2 },
          "\(role)")
      }
    }
  }

  private func role(_ role: Role, _ theme: Theme, _ colors: Int) -> String {
    "\(role.appearance(theme, colors: colors))"
  }

  /// WCAG 2.2, 1.4.3: text has at least 4.5 : 1, filled areas at most 2 : 1.
  @Test(arguments: Theme.allCases, TerminalBackground.allCases)
  func `every role can be read on every background`(theme: Theme, background: TerminalBackground) {
    for colors in [8, 16, 256] {
      for role in Role.allCases {
        let (ink, attributes) = role.appearance(theme, colors: colors, background: background)
        for contrast in role.contrasts(theme, colors: colors, background: background) {
          if role.isFill {
            #expect(
              contrast <= 2 || attributes.contains(.dim) || ink == ColorPair(),
              "\(role) \(contrast)")
          } else {
            #expect(contrast >= 4.5, "\(role) with \(colors) colours: \(contrast)")
            #expect(!attributes.contains(.dim) || theme == .monochrome, "\(role)")
          }
        }
      }
    }
  }

  @Test(arguments: Theme.allCases, TerminalBackground.allCases)
  func `a gauge shows the colour of its blocks, not one behind them`(
    theme: Theme, background: TerminalBackground
  ) {
    for colors in [8, 16, 256] {
      for role in [Role.batteryGood, .batteryLow, .gaugeCritical, .batteryCharging] {
        let plain = Role.plain.appearance(theme, colors: colors, background: background).ink
        let ink = role.appearance(theme, colors: colors, background: background).ink
        #expect(ink.background == plain.background, "\(role) with \(colors) colours")
      }
    }
  }

  @Test func `there are as many as the table has, each name once`() {
    let names = Theme.allCases.map(\.rawValue)
    #expect(names.count == 15 && Set(names).count == names.count)
    let light = Theme.allCases.filter { $0.colors?.background == .light }.map(\.rawValue)
    #expect(light == ["catppuccin-latte", "gruvbox-light", "solarized-light"])
  }

  @Test func `a theme brings its background along where the terminal has another`() {
    let light = Theme(rawValue: "catppuccin-latte") ?? .standard
    #expect(Role.value.appearance(light, colors: 256, background: .light).ink.background == .own)
    #expect(Role.value.appearance(light, colors: 256, background: .dark).ink.background != .own)
    #expect(Theme(rawValue: "nord")?.colors?.background == .dark && Theme(rawValue: "no") == nil)
  }

  @Test func `what curses writes by number is told in 24 bits`() {
    let meanings: [Int32: RGB] = [16: RGB(0x1E1E2E), 200: RGB(0xFF8000)]
    func translated(_ text: String) -> String {
      String(decoding: TrueColor.translated(Array(text.utf8), meanings), as: UTF8.self)
    }
    #expect(translated("a\u{1B}[38;5;16mb") == "a\u{1B}[38;2;30;30;46mb")
    #expect(translated("\u{1B}[48:5:200m") == "\u{1B}[48;2;255;128;0m")
    for text in ["\u{1B}[38;5;17m", "\u{1B}[38;5;1", "\u{1B}[1m", "\u{1B}", "38;5;16m"] {
      #expect(translated(text) == text)
    }
  }

  @Test(arguments: [
    ("0;15", TerminalBackground.light), ("15;0", .dark), ("15;default;0", .dark), ("0;7", .light),
    ("12;8", .dark),
  ])
  func `the variable COLORFGBG tells the background`(
    variable: String, background: TerminalBackground
  ) {
    #expect(TerminalBackground(variable: variable) == background)
  }

  @Test(arguments: ["", "default", "0;default", "0;99", ";"])
  func `other values of COLORFGBG report nothing`(variable: String) {
    #expect(TerminalBackground(variable: variable) == nil)
  }
}
