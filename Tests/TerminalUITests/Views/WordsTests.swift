import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

private let words = Style(symbols: .words)

extension Golden {
  /// The screen for screen readers and braille displays.
  static let inWords: [Golden] = [
    .screen("words", style: words) { Example.state() },
    .screen("words-40x12", .small, style: words) { Example.state() },
    .screen("words-120x48", Size(columns: 120, rows: 48), style: words) { elsewhere },
    .screen("words-equaliser", style: words) {
      Example.state().changed { $0.page = page(.equaliser, .band(2)) }
    },
    .screen("words-question", style: words) {
      Example.state().changed { $0.dialog = .question(Question(.forget(Example.aurora))) }
    },
  ]

  private static var elsewhere: State {
    Example.state().changed {
      $0.audio = .running(Example.sound(to: "pci"))
      $0.focus = .audio
    }
  }

  fileprivate static func page(_ kind: PageKind, _ row: EQEditor.Row = .preset) -> Page {
    kind == .equaliser
      ? .equaliser(EQEditor(headphone: Example.aurora, row: row)) : .list(kind, line: 0)
  }
}

@Suite struct `A screen in words` {
  private static let states: [(name: String, state: State)] = {
    let kinds: [PageKind] = [
      .help, .log, .info, .doctor, .inspector, .equaliser, .touch, .pairedDevices, .broadcasts,
      .scenes, .correction, .soundSettings,
    ]
    let dialogs: [Dialog] = [
      .question(Question(.find(Example.aurora))), .question(Question(.quitDuringUpdate)),
      .entry(TextEntry(.rename(Example.aurora), text: "x")), .entry(TextEntry(.search(on: .main))),
    ]
    let pages = kinds.map { kind in
      (
        "\(kind)",
        Example.state().changed {
          $0.page = kind == .help ? .help(line: 0) : Golden.page(kind)
        }
      )
    }
    let others: [(String, State)] = [
      ("finder", Example.state().changed { $0.page = .finder }),
      ("firmware", Example.state().changed { $0.page = .firmware }), ("nothing", State()),
    ]
    return pages + others
      + Panel.allCases.map { panel in
        ("\(panel)", Example.state().changed { $0.focus = panel })
      }
      + dialogs.enumerated().map { number, dialog in
        ("dialog \(number)", Example.state().changed { $0.dialog = dialog })
      }
      + FamilyExample.allCases.map { ($0.rawValue, $0.state) }
  }()

  private static let sizes = [
    Size.ordinary, .small, .large, Size(columns: 200, rows: 60), Size(columns: 20, rows: 5),
  ]

  /// No frames, bars, dots or arrows, which a reader would spell out or omit.
  @Test(arguments: sizes) func `has no character that is only a picture`(size: Size) {
    for (name, state) in Self.states {
      let screen = view(state, size: size, style: words)
      for row in 0..<size.rows {
        let text = screen.text(row: row)
        let pictures = text.unicodeScalars.filter {
          // Arrows, technical signs, frames, blocks, shapes, dingbats and braille patterns.
          (0x2190...0x28FF).contains($0.value) || "·•".unicodeScalars.contains($0)
        }
        #expect(pictures.isEmpty, "\(name): \(text)")
      }
    }
  }

  @Test(arguments: sizes) func `has its cursor on a row with words`(size: Size) throws {
    for (name, state) in Self.states {
      let screen = view(state, size: size, style: words)
      let cursor = try #require(screen.cursor, "\(name)")
      if size.rows >= 9 {
        #expect(screen.text(row: cursor.row).contains { $0.isLetter }, "\(name)")
      }
    }
  }

  @Test func `needs only ASCII where no more can be shown`() {
    for (_, state) in Self.states {
      let screen = view(state, size: .ordinary, style: Style(symbols: .asciiWords))
      for row in 0..<24 { #expect(screen.text(row: row).utf8.allSatisfy { $0 < 0x80 }) }
    }
  }

  /// After each key, a reader says the line of the cursor.
  @Test(arguments: [Size.ordinary, .small, Size(columns: 120, rows: 48)])
  func `says the row of the cursor with its value after every key`(size: Size) throws {
    var state = Example.state()
    func says(_ text: String) throws -> Bool {
      let screen = view(state, size: size, style: words)
      let line = screen.text(row: try #require(screen.cursor).row)
      // On a narrow screen the end is cut, which is what matters least.
      return line.contains(size == .small ? String(text.prefix(34)) : text)
    }
    func press(_ command: UserCommand) { _ = state.reduce(.pressed(command), at: Example.now) }
    #expect(try says("Noise control (a): Noise cancelling; also 1 Off"))
    press(.down)
    #expect(try says("Ambient level: 7/10"))
    press(.raise)
    #expect(try says("Ambient level: 8/10, pending"))
    press(.down)
    #expect(try says("Equaliser (e): Custom; also Balanced"))
    press(.down)
    #expect(try says("Wear detection (w): on"))
    press(.otherPanel)
    #expect(try says("Aurora Pro, shown: sound playing, controls ready, left 80%"))
    press(.otherPanel)
    #expect(try says("Aurora Pro: volume 60%, in use"))
    press(.down)
    #expect(try says("Built-in Audio Analog Stereo: volume 45%"))
  }

  /// A reader says what has changed on the screen, or else the cursor's row.
  @Test(arguments: [Size.ordinary, .small, Size(columns: 120, rows: 48)])
  func `changes nothing but its cursor where a key only moves that`(size: Size) {
    let pages: [Page] = [.main, Golden.page(.equaliser, .band(0)), .touch(line: 0)]
    for page in pages {
      for focus in page == .main ? [Panel.audio, .control] : [.control] {
        var state = Example.state().changed {
          $0.page = page
          $0.focus = focus
        }
        _ = state.reduce(.pressed(.redraw), at: Example.now)
        let move = page.kind == .equaliser ? UserCommand.right : .down
        for _ in 0..<2 {
          let before = view(state, size: size, style: words)
          #expect(state.reduce(.pressed(move), at: Example.now) == [])
          let after = view(state, size: size, style: words)
          #expect(before.cursor != after.cursor, "\(page)")
          for row in 0..<size.rows { #expect(before.text(row: row) == after.text(row: row)) }
        }
      }
    }
  }

  @Test func `says which answer is chosen`() throws {
    var state = Example.state().changed {
      $0.dialog = .question(Question(.forget(Example.aurora)))
    }
    for (command, answer) in [(UserCommand.down, "n Keep, chosen"), (.right, "y Forget, chosen")] {
      if command == .right { _ = state.reduce(.pressed(command), at: Example.now) }
      let screen = view(state, size: .ordinary, style: words)
      let row = try #require(screen.cursor).row
      #expect(screen.text(row: row).contains(answer))
    }
  }

  /// A change appears as a line at the bottom, also on pages that do not show what has changed.
  @Test(arguments: [Page.main, .info(line: 0), .log(line: 0), .finder])
  func `says a change in a line`(page: Page) {
    let state = Example.state().changed { $0.page = page }
      .receiving(.headphone(Example.aurora, .ancChanged(.transparency)))
    let screen = view(state, size: .ordinary, style: words)
    #expect(screen.text(row: 22).hasPrefix(" Aurora Pro  noise control: transparency"))
  }
}
