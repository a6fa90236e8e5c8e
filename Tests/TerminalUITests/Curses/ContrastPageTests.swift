import Foundation
import TestSupport
import Testing

@testable import TerminalUI

/// `docs/records/contrast.md` is generated from the program.
@Suite struct `The page of contrasts` {
  @Test func `is what the documentation shows`() throws {
    #expect(try GeneratedPage("records/contrast.md").text(rewrittenTo: Self.page) == Self.page)
  }

  private static var page: String {
    """
    # Contrast

    The contrast of every colour on its background, by WCAG 2.2 (1 to 21), computed from the program. Text needs
    4.5 or more; the roles in italics only fill an area, which must not look like text: 2.0 or less, or – where
    the area has no colour. A test checks both for every theme, with 24-bit, 256, 16 and 8 colours.

    Each number is the worst one that occurs, in 24-bit colours or as the nearest of 256. `standard` is measured on
    several usual backgrounds (\(usual)), a palette on its own background,
    and `terminal` and `high-contrast`, whose colours the terminal defines, with those of xterm on black and on
    white. `monochrome` has no colours. With fewer than 256 colours, palettes and `standard` look like `terminal`.
    A theme of your own is adjusted in the same way ([configuration](configuration.md#themes)).

    \(table(.dark))
    \(table(.light))
    """
  }

  private static var usual: String {
    TerminalBackground.allCases.flatMap(\.usual).map { String(format: "`#%06x`", $0.value) }
      .joined(separator: ", ")
  }

  private static func table(_ background: TerminalBackground) -> String {
    let themes = Theme.allCases.filter { theme in
      theme != .monochrome && theme.colors.map { $0.background == background } ?? true
    }
    let head = ["role"] + themes.map { "`\($0.rawValue)`" }
    let rows = Role.allCases.map { role in
      [role.isFill ? "*\(role.name)*" : role.name]
        + themes.map { theme in
          let ink = role.appearance(theme, colors: 256, background: background).ink
          guard !role.isFill || ink != ColorPair() else { return "–" }
          let contrasts = role.contrasts(theme, colors: 256, background: background)
          let worst = role.isFill ? contrasts.max() : contrasts.min()
          return worst.map { String(format: "%.1f", $0) } ?? ""
        }
    }
    return "## On a \(background) background\n\n"
      + ([head, ["---"] + themes.map { _ in "---:" }] + rows)
      .map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}
