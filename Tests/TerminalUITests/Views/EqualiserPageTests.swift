import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

/// The editor of the equaliser, in the three sizes.
@Suite struct `The equaliser's page` {
  static let sizes = [(80, 24), (120, 40), (40, 12)]

  static func gains(_ halves: Int8...) -> [BandGain] {
    halves.compactMap { BandGain(halfDecibels: $0) }
  }

  static func page(_ row: EQEditor.Row) -> Page {
    .equaliser(EQEditor(headphone: Example.aurora, row: row, preset: .custom, gains: []))
  }

  static let saved = [
    SavedEQ(name: "Late evening", gains: gains(0, 1, 2, 3, 2, 1, 0, -2)),
    SavedEQ(name: "音楽 for trains", gains: gains(6, 4, 0, 0, 0, 0, 2, 2)),
    SavedEQ(name: "For ten bands", gains: gains(0, 0)),
  ]

  /// A name for the picture, the row of the cursor, and what is special.
  static let scenes: [(String, EQEditor.Row, @Sendable (inout State) -> Void)] = [
    ("band", .band(2), { _ in }),
    (
      "saved", .saved("音楽 for trains"),
      { $0.savedEQs = saved }
    ),
    (
      "pending", .band(0),
      {
        $0.headphones.update(Example.aurora) {
          _ = $0.bands.want(
            gains(9, 4, 1, -2, -4, 0, 3, 7), token: CommandToken(rawValue: 1))
        }
      }
    ),
    (
      "preset", .preset,
      {
        $0.headphones.update(Example.aurora) {
          $0.eq = Setting(.balanced)
          $0.capabilities?.eqCentres = [60, 170, 310, 600, 1000, 3000, 6000, 12_000]
        }
      }
    ),
    (
      "imported", .band(7),
      { state in
        let curve = ParametricEQ(
          preamp: -6,
          filters: [
            .init(.lowShelf, frequency: 105, gain: 20, width: .quality(0.7)),
            .init(.peak, frequency: 2400, gain: -7, width: .quality(3)),
          ], omissions: ["line 4: \"Device\" is left out"])
        state.headphones.update(Example.aurora) { headphone in
          guard let bands = headphone.capabilities.flatMap({ EQBands($0) }) else { return }
          let fit = EQFit(curve, to: bands)
          headphone.eqImport = EQImport(path: "~/Music/\u{1B}[31mAurora ParametricEQ.txt", fit: fit)
          headphone.bands = Setting(fit.gains)
        }
      }
    ),
    (
      "lost", .band(1),
      {
        $0.headphones.update(Example.aurora) {
          $0.link = .reconnecting(Retry(attempt: 1, delay: .seconds(1), after: .timeout))
        }
      }
    ),
    (
      "presets-only", .preset,
      {
        $0.headphones.update(Example.aurora) {
          $0.capabilities?.eqBands = 0
          $0.eq = Setting(.vocal)
          $0.bands = Setting()
        }
      }
    ),
    (
      "unknown", .band(0),
      { $0.headphones.update(Example.aurora) { $0.bands = Setting() } }
    ),
  ]

  @Test(arguments: scenes.indices, sizes)
  func `is drawn`(scene: Int, size: (columns: Int, rows: Int)) {
    let (name, row, change) = Self.scenes[scene]
    let state = Example.state().changed {
      $0.page = Self.page(row)
      change(&$0)
    }
    expectScreen(
      view(state, size: Size(columns: size.columns, rows: size.rows)),
      "equaliser-\(name)-\(size.columns)x\(size.rows)")
  }

  @Test func `is drawn with ASCII characters only`() {
    let state = Example.state().changed { $0.page = Self.page(.band(1)) }
    expectScreen(view(state, size: .ordinary, style: Style(symbols: .ascii)), "equaliser-ascii")
  }

  @Test func `asks for a name, and before it deletes`() {
    let entry = Example.state().changed {
      $0.page = Self.page(.band(0))
      $0.dialog = .entry(TextEntry(.saveEQ(Self.gains(1)), text: "Late"))
    }
    expectScreen(view(entry, size: .ordinary), "equaliser-entry")
    let question = Example.state().changed {
      $0.page = Self.page(.band(0))
      $0.dialog = .question(Question(.deleteEQ(name: "Late evening")))
    }
    expectScreen(view(question, size: .ordinary), "equaliser-question")
  }

  @Test(arguments: [0, 1, 2, 255], [0, 1, 2, 5, 9, 20, 31, 200])
  func `of any headphone fits any size`(bands: Int, columns: Int) {
    let state = Example.state().changed {
      $0.page = Self.page(bands == 0 ? .preset : .band(bands - 1))
      $0.savedEQs = Self.saved
      $0.headphones.update(Example.aurora) {
        $0.capabilities?.eqBands = bands
        $0.bands = Setting(Array(repeating: .flat, count: min(bands, 3)))
      }
    }
    for rows in [0, 1, 2, 3, 5, 12, 60] {
      let screen = view(state, size: Size(columns: columns, rows: rows))
      #expect(screen.size.rows == rows)
      if bands == 255, columns >= 31, rows >= 5 {
        let text = (0..<rows).map { screen.text(row: $0) }.joined()
        #expect(text.contains("16 kHz"), "the cursor is out of sight")
      }
    }
  }
}
