import Foundation
import TestSupport
import Testing

@testable import TerminalUI

extension `A terminal` {
  /// The content of a terminal after many frames, of which only the differences were written.
  ///
  /// The emulator is Python's pyte (`Tests/EndToEnd/frames.py`), which is independent of curses.
  @MainActor
  @Suite(.serialized) struct `and what is left on it` {
    init() {
      setenv("LC_ALL", "C.UTF-8", 1)
      unsetenv("NO_COLOR")
    }

    @Test(arguments: ["xterm-256color", "screen-256color", "linux", "vt100"])
    func `are the cells of the screen that was drawn last`(type: String) async throws {
      var story = Story(seed: 23)
      var frames: [Frame] = []
      let pty = try PseudoTerminal(columns: 30, rows: 8)
      let terminal = try pty.open(type)
      defer { terminal.close() }
      for _ in 0..<Thoroughness.rounds(150, thorough: 1000) {
        if story.draws(every: 25) {
          let size = Size(columns: 5 + story.below(50), rows: 1 + story.below(14))
          pty.resize(columns: UInt16(size.columns), rows: UInt16(size.rows))
          terminal.adoptSize()
          story.resize(to: size)
        } else {
          story.goOn()
        }
        terminal.present(story.screen)
        frames.append(Frame(story.screen, pty.written()))
        if story.draws(every: 10) {
          terminal.redraw()
          frames.append(Frame(story.screen, pty.written(), isAgain: true))
        }
      }
      let folder = TemporaryFolder()
      try FileManager.default.createDirectory(
        atPath: folder.path, withIntermediateDirectories: true)
      let file = "\(folder.path)/frames.json"
      try JSONEncoder().encode(frames).write(to: URL(filePath: file))
      let tool = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../EndToEnd/frames.py")
      let output = try run(["/usr/bin/python3", tool.path, file], environment: [:])
      #expect(output == "\(frames.count) frames\n")
    }
  }
}

/// The output to a terminal, and the screen that must result.
private struct Frame: Encodable {
  let columns: Int
  let rows: Int
  let bytes: String
  let text: [String]
  let isAgain: Bool

  init(_ screen: Screen, _ bytes: String, isAgain: Bool = false) {
    (columns, rows) = (screen.size.columns, screen.size.rows)
    self.bytes = bytes
    text = (0..<rows).map { screen.text(row: $0) }
    self.isAgain = isAgain
  }
}

/// Screens that follow each other like real ones, with small changes and moved parts.
@MainActor private struct Story {
  private var generator: SeededGenerator
  private(set) var screen = Screen(size: Size(columns: 30, rows: 8))

  private static let words = [
    "Aurora Buds", "84%", "────────────────────", "│", "██████▌", "音楽を聴く", "🎧", "e\u{301}te\u{301}",
    "aaaaaaaaaaaaaaaaaaaa",
    "                ", "·", "x",
  ]

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func below(_ limit: Int) -> Int { generator.below(limit) }

  /// Returns true once in `count` calls, at random.
  mutating func draws(every count: Int) -> Bool { below(count) == 0 }

  mutating func resize(to size: Size) {
    screen = Screen(size: size)
    for _ in 0..<below(12) { scribble() }
  }

  mutating func goOn() {
    switch below(8) {
    case 0: move(rows: below(5) - 2, columns: 0)
    case 1: move(rows: 0, columns: below(9) - 4)
    case 2: screen = Screen(size: screen.size)
    case 3:
      screen.fill(
        Area(column: below(20), row: below(8), columns: below(30), rows: below(6)), with: "░",
        role: role())
    default: for _ in 0...below(6) { scribble() }
    }
  }

  private mutating func scribble() {
    screen.write(
      Self.words[below(Self.words.count)], column: below(screen.size.columns + 4) - 4,
      row: below(screen.size.rows), role: role())
  }

  /// Moves each row, drawn in the role of its first cell.
  private mutating func move(rows: Int, columns: Int) {
    let before = screen
    screen = Screen(size: before.size)
    for row in 0..<before.size.rows {
      screen.write(
        before.text(row: row), column: columns, row: row + rows, role: before[0, row].role)
    }
  }

  private mutating func role() -> Role { Role.allCases[below(Role.allCases.count)] }
}
