import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// Wide, hostile and long names.
  static let textFromAir: [Golden] = [
    .rows("names", unlike: Example.state) {
      [
        ("wide", named("音楽ヘッドホン プロ 🎧👨‍👩‍👧🇯🇵 é")),
        ("hostile", named("\u{1B}]0;owned\u{7}\u{1B}[2J\u{202E}gpj.exe\u{200B}\r\n\u{9B}31m")),
        ("long", named(longName)),
      ]
    },
    .rows("name-long-40x12", .small, unlike: Example.state) { [("long", named(longName))] },
  ]

  private static let longName = String(repeating: "The longest headphone name ", count: 9)

  fileprivate static func named(_ name: String) -> State {
    Example.state().with {
      $0.name = name
      $0.information.model = name
    }.changed {
      $0.log.append(
        LogLine(
          at: Example.now, level: .info, headphone: Example.aurora, text: "renamed to \(name)"))
    }
  }
}

@Suite struct `Text from the air` {
  @Test(arguments: ["", " ", "\u{0}", "\u{301}", String(repeating: "e\u{301}\u{302}", count: 90)])
  func `never moves the frame`(name: String) {
    for size in [Size.ordinary, Size(columns: 40, rows: 12), Size(columns: 120, rows: 40)] {
      let screen = view(Golden.named(name), size: size)
      for row in 3..<7 {
        let edge = screen[size.columns - 1, row].text
        #expect(edge == "│", "row \(row) of \(size): \(screen.text(row: row))")
      }
    }
  }

  /// Whatever the state's texts contain, no control character reaches the terminal.
  @Test func `never controls the terminal`() {
    let hostile = String(String.UnicodeScalarView((0...0x9F).compactMap(Unicode.Scalar.init)))
    let state = Golden.named(hostile).changed {
      $0.problem = Problem(hostile, advice: hostile)
      $0.filter = hostile
      $0.adapter = .off(adapter: hostile)
    }
    for page in [Page.main, .log(line: 0), .info(line: 0), .help(line: 0)] {
      for dialog in [Dialog.entry(TextEntry(.search(on: .main), text: hostile)), nil] {
        let screen = view(
          state.changed {
            $0.page = page
            $0.dialog = dialog
          }, size: .ordinary)
        for row in 0..<24 {
          #expect(screen.text(row: row).unicodeScalars.allSatisfy { $0.terminalKind != .control })
        }
      }
    }
  }
}
