import Testing

@testable import TerminalUI

@Suite struct ThemeTests {
  @Test func `nothing is dim in high contrast`() {
    for colors in [8, 16, 256] {
      for role in Role.allCases {
        #expect(!role.appearance(.highContrast, colors: colors).style.contains(.dim), "\(role)")
      }
    }
  }

  @Test func `monochrome has no colours, on any terminal`() {
    for role in Role.allCases {
      #expect(role.appearance(.monochrome, colors: 256).ink == ColorPair(), "\(role)")
      #expect(
        role.appearance(.monochrome, colors: 256).style
          == role.appearance(.standard, colors: 0).style)
    }
  }

  @Test func `the terminal's own colours are the first eight`() {
    for role in Role.allCases {
      let ink = role.appearance(.terminal, colors: 256).ink
      #expect((-1...7).contains(ink.foreground) && (-1...7).contains(ink.background), "\(role)")
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

  private func role(_ role: Role, _ theme: Theme, _ colors: Int) -> String {
    "\(role.appearance(theme, colors: colors))"
  }
}
