import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// Terminals without Unicode, and the Linux console, whose fonts hold little more.
  static let plainTerminals: [Golden] = [
    .screen("ascii", style: Style(symbols: .ascii)) { pending },
    .screen("console", style: Style(symbols: .console)) { Example.state() },
  ]

  private static var pending: State {
    Example.state().with { _ = $0.anc.want(.adaptive, token: CommandToken(rawValue: 1)) }
  }
}

@Suite struct `A plain terminal` {
  @Test func `gets only ASCII where it can show nothing else`() {
    let style = Style(symbols: .ascii)
    for page in [Page.main, .help(line: 0), .log(line: 0), .info(line: 0)] {
      let screen = view(
        Example.state().changed {
          $0.page = page
          $0.dialog = .question(Question(.forget(Example.aurora)))
        }, size: .ordinary, style: style)
      for row in 0..<24 { #expect(screen.text(row: row).utf8.allSatisfy { $0 < 0x80 }) }
    }
  }

  /// Including the space before a name, which would be a white block if inverse.
  @Test(arguments: Panel.allCases)
  func `reverses no headphone but the selected one`(focus: Panel) throws {
    let screen = view(Example.state().changed { $0.focus = focus }, size: .large)
    for name in ["Nimbus Lite", "音楽 Studio"] {
      let row = try #require((0..<40).first { screen.text(row: $0).contains(" \(name)") })
      for column in 0..<120 {
        let attributes = screen[column, row].role.appearance(.standard, colors: 0).attributes
        #expect(!attributes.contains(.reverse), "\(name), column \(column)")
      }
    }
  }

  @Test func `shows which of the choices is taken without any colour`() {
    for symbols in [Symbols.unicode, .console, .ascii] {
      let screen = view(Example.state(), size: .ordinary, style: Style(symbols: symbols))
      let chosen = symbols.capLeft + "2 NC" + symbols.capRight
      #expect((0..<24).contains { screen.text(row: $0).contains(chosen) })
    }
  }
}
