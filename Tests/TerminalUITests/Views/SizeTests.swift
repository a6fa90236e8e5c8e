import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// The main page at sizes of different layouts: panels side by side from 76 columns, stacked, one
  /// alone, and less.
  static let main: [Golden] = [
    (80, 24), (120, 40), (40, 12), (60, 20), (60, 24), (75, 24), (150, 44), (200, 60), (80, 12),
    (30, 10), (20, 5),
    (40, 8), (19, 4), (10, 1),
  ].map { columns, rows in
    let size = Size(columns: columns, rows: rows)
    return .screen(
      "main" + size.suffix, size, showsRoles: size == .ordinary || size == .small, Example.state)
  }
}

@Suite struct `The main page` {
  @Test(arguments: [75, 76]) func `has both panels side by side from 76 columns on`(columns: Int) {
    let screen = view(Example.state(), size: Size(columns: columns, rows: 24))
    let titles = (0..<24).filter { row in
      ["AUDIO ROUTE", "CONTROL LINK"].contains { screen.text(row: row).contains($0) }
    }
    #expect(titles.count == (columns < 76 ? 2 : 1))
  }

  /// Each row is as wide as the screen, and no wide character crosses an edge.
  @Test(arguments: [Page.main, .help(line: 30), .log(line: 0), .info(line: 9)])
  func `is drawn at any size`(page: Page) {
    let states = [
      State(), Example.state().changed { $0.problem = Problem("went wrong", advice: "help it") },
      Example.state().changed { $0.dialog = .question(Question(.find(Example.aurora))) },
      Example.state().changed { $0.dialog = .entry(TextEntry(.search(on: .main), text: "音楽")) },
    ]
    var ragged: [String] = []
    for state in states {
      let state = state.changed { $0.page = page }
      for columns in [0, 1, 2, 3, 5, 9, 19, 20, 31, 43, 44, 76, 130] {
        for rows in [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 13, 17, 30] {
          let screen = view(state, size: Size(columns: columns, rows: rows))
          let texts = (0..<rows).map { screen.text(row: $0) }
          if texts.contains(where: { $0.columns != columns }) {
            ragged.append("\(columns)x\(rows)")
          }
        }
      }
    }
    #expect(ragged == [])
  }

  @Test(arguments: Panel.allCases, [Size.ordinary, .large, .small, Size(columns: 60, rows: 24)])
  func `has one cursor`(focus: Panel, size: Size) {
    for row in [AudioRow.volume, .output("hdmi")] {
      let state = Example.state().changed {
        $0.focus = focus
        $0.audioRow = row
        $0.controlRow = .setting(.wearDetection)
      }
      let screen = view(state, size: size)
      let text = (0..<size.rows).map { screen.text(row: $0) }.joined()
      #expect(text.count { $0 == "▸" } == 1, "\(text)")
    }
  }

  /// Frames are in the same rows, whatever the headphone shows.
  @Test(arguments: [
    Size.ordinary, .large, .small, Size(columns: 60, rows: 24), Size(columns: 100, rows: 28),
    Size(columns: 200, rows: 60), Size(columns: 60, rows: 40),
  ])
  func `does not move with what it shows`(size: Size) {
    let states =
      [Example.state(), Example.state().with { $0.link = .unwanted(.disconnected(.timeout)) }]
      + FamilyExample.allCases.map(\.state)
      + Example.state().headphones.map { headphone in
        Example.state().changed { $0.headphones.select(headphone.id) }
      }
    let frames = states.map { state in
      let screen = view(state, size: size)
      return (0..<size.rows).map { "╭╰".contains(screen[0, $0].text) ? screen[0, $0].text : " " }
    }
    #expect(Set(frames).count == 1)
  }

  @Test(arguments: [Size.ordinary, .large, Size(columns: 76, rows: 24)])
  func `has the batteries in one place and shape`(size: Size) {
    let states = [Example.state()] + FamilyExample.allCases.map(\.state)
    let places = states.map { state in
      let screen = view(state, size: size)
      // BATTERY has them again, below the list.
      return (0..<size.rows).prefix { !screen.text(row: $0).contains("HEADPHONES") }
        .filter { screen.text(row: $0).contains(/[0-9]% [▁-█]/) }
    }
    #expect(places.allSatisfy { $0.count <= 1 })
    #expect(Set(places.filter { !$0.isEmpty }).count == 1)
  }

  @Test func `says in a sentence what is to be done where nothing is known`() {
    let state = Example.state().changed {
      $0.headphones.select(HeadphoneID(rawValue: "studio"))
    }
    let text = (0..<24).map { view(state, size: .ordinary).text(row: $0) }.joined()
    #expect(text.contains("Press c to connect."))
    for label in ["Noise", "Equaliser", "Left"] {
      #expect(!text.contains(" \(label)  "), "\(label)")
    }
  }

  @Test(arguments: [Size.small, Size(columns: 40, rows: 10)])
  func `keeps the keys for help and the end where it is small`(size: Size) {
    let screen = view(Example.state(), size: size)
    #expect(screen.text(row: size.rows - 1).contains("? Help  q Quit"))
  }
}
