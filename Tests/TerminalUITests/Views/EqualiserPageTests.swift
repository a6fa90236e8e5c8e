import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  /// The equaliser page with each position of the cursor and kind of headphone.
  static let equaliser: [Golden] =
    [
      .screen("equaliser", showsRoles: true) { scene("saved") },
      .screen("equaliser-120x40", .large) { scene("saved") },
      .screen("equaliser-40x12", .small) { scene("saved") },
      .screen("equaliser-ascii", style: Style(symbols: .ascii)) { scene("band") },
    ]
    + [Size.ordinary, .small].map { size in
      .rows(
        "equaliser-scenes" + size.suffix, size, showsRoles: size == .ordinary,
        unlike: { scene("saved") }
      ) {
        scenes.map(\.0).filter { $0 != "saved" }.map { ($0, scene($0)) }
      }
    }

  private static func scene(_ name: String) -> State {
    Example.state().changed { state in
      for (scene, row, change) in scenes where scene == name {
        state.page = page(row)
        change(&state)
      }
    }
  }

  private static func gains(_ halves: Int8...) -> [BandGain] {
    halves.compactMap { BandGain(halfDecibels: $0) }
  }

  fileprivate static func page(_ row: EQEditor.Row) -> Page {
    .equaliser(
      EQEditor(headphone: Example.aurora, row: row, opening: EQSound(preset: .custom, gains: [])))
  }

  fileprivate static let saved = [
    SavedEQ(name: "Late evening", gains: gains(0, 1, 2, 3, 2, 1, 0, -2)),
    SavedEQ(name: "音楽 for trains", gains: gains(6, 4, 0, 0, 0, 0, 2, 2)),
    SavedEQ(name: "For ten bands", gains: gains(0, 0)),
  ]

  /// The scenes: name, row of the cursor, and change.
  private static let scenes: [(String, EQEditor.Row, @Sendable (inout State) -> Void)] = [
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
          $0.link = .reconnecting(Retry(attempt: 1, after: .timeout))
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
}

@Suite struct `The equaliser's page` {
  @Test(arguments: [0, 1, 2, 255], [0, 1, 2, 5, 9, 20, 31, 200])
  func `of any headphone fits any size`(bands: Int, columns: Int) {
    let state = Example.state().changed {
      $0.page = Golden.page(bands == 0 ? .preset : .band(bands - 1))
      $0.savedEQs = Golden.saved
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

  /// Each number is centred on its slider's column, and none is missing.
  @Test(arguments: [
    (200, 60), (160, 46), (120, 40), (100, 30), (80, 24), (60, 20), (44, 14), (40, 12),
  ])
  func `has frequency and gain below each fader`(columns: Int, rows: Int) throws {
    let state =
      columns < 60
      ? Self.state(halves: -3, 4, 1, -1, 0, 7, -5, 3)
      : Self.state(halves: -23, 24, 1, -1, 0, 7, -20, 23)
    let screen = view(state, size: Size(columns: columns, rows: rows))
    let labels = try #require((0..<rows).first { screen.text(row: $0).contains("125") })
    let knobs = Set(
      (0..<labels).flatMap { row in
        // The mark of the preset that is on stands in the list beside the sliders.
        ((columns < 80 ? 0 : 26)..<columns).filter { screen[$0, row].text == "●" }
      }
    ).sorted()
    #expect(knobs.count == 8)
    for (row, isGain) in [(labels, false), (labels + 1, true)] {
      let numbers = screen.words(row: row)
      #expect(numbers.count == 8, "\(screen.text(row: row))")
      for (number, knob) in zip(numbers, knobs) {
        #expect(number.start + number.text.columns / 2 == knob, "\(number.text) \(isGain)")
      }
    }
  }

  @Test(arguments: [(80, 24), (120, 40)])
  func `shows half a decibel`(columns: Int, rows: Int) {
    let pictures = (-24...24).map { half in
      let screen = view(
        Self.state(halves: Int8(half), 0, 0, 0, 0, 0, 0, 0),
        size: Size(columns: columns, rows: rows))
      // Without the numbers.
      return (0..<rows).map { screen.text(row: $0) }.filter { !$0.contains(/[1-9]/) }
    }
    for (one, next) in zip(pictures, pictures.dropFirst()) { #expect(one != next) }
  }

  @Test(arguments: [40, 80, 120])
  func `names its end in the footer, and the headphone's step`(columns: Int) throws {
    let step = try #require(BandGain(halfDecibels: 2))
    let state = Example.state().changed { state in
      state.page = Golden.page(.band(0))
      state.headphones.update(Example.aurora) { $0.capabilities?.eqStep = step }
    }
    let footer = view(state, size: Size(columns: columns, rows: 24)).text(row: 23)
    #expect(footer.contains("Esc Back"))
    #expect(columns == 40 || footer.contains("1 dB"))
  }

  @Test func `says whose gains its sliders are`() {
    let state = Self.state(halves: 0, 0, 0, 0, 0, 0, 0, 0).changed {
      $0.headphones.update(Example.aurora) { $0.eq = Setting(.balanced) }
    }
    for size in [Size.ordinary, .small, .large] {
      let screen = view(state, size: size)
      let text = (0..<size.rows).map { screen.text(row: $0) }.joined()
      #expect(
        text.contains(size == .small ? "Sliders edit Custom." : "Balanced is"))
    }
  }

  /// On the main page and on the equaliser page, also for a headphone without bands.
  @Test(arguments: [0, 8], [Size.ordinary, .large, .small])
  func `has the presets of any maker, and a click chooses one`(bands: Int, size: Size) throws {
    let state = Example.state().with { headphone in
      headphone.capabilities?.eqPresets = []
      headphone.capabilities?.eqBands = bands
      headphone.capabilities?.settings.append(
        SettingDeclaration(
          .equaliserPreset,
          .choice([SettingChoice("calm", title: "Calm"), SettingChoice("deep", title: "Deep")]),
          title: "Equaliser", label: "EQ", group: .sound))
      headphone.settings[.equaliserPreset] = Setting(.choice("deep"))
    }
    let pages = [state, state.receiving(.pressed(.equaliser)).receiving(.pressed(.previousPanel))]
    #expect(pages[1].page.kind == .equaliser)
    for state in pages {
      let screen = view(
        state.changed {
          $0.focus = .control; $0.controlRow = .eq
        }, size: size)
      let row = try #require((0..<size.rows).first { screen.text(row: $0).contains("Deep") })
      let column = try #require((0..<size.columns).first { screen[$0, row].text == "D" })
      #expect([.segmentSelected, .rowSelected].contains(screen[column, row].role))
      #expect(
        screen.actions(for: Mouse(.press, column: column, row: row)).last
          == .choiceMade(.equaliserPreset, "deep"))
    }
  }

  private static func state(halves: Int8...) -> State {
    Example.state().changed {
      $0.page = Golden.page(.band(0))
      $0.headphones.update(Example.aurora) { headphone in
        headphone.eq = Setting(.custom)
        headphone.bands = Setting(halves.compactMap { BandGain(halfDecibels: $0) })
      }
    }
  }
}

extension Screen {
  /// Returns the words of a row inside its frame with their columns, without the cursor's mark.
  fileprivate func words(row: Int) -> [(start: Int, text: String)] {
    var words: [(start: Int, text: String)] = []
    for column in 0..<size.columns {
      let text = self[column, row].text
      guard !"▸│ ".contains(text) else { continue }
      if column > 0, let last = words.last, last.start + last.text.columns == column {
        words[words.count - 1].text += text
      } else {
        words.append((column, text))
      }
    }
    return words
  }
}
