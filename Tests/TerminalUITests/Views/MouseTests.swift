import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

@Suite struct `The mouse` {
  /// Clicks the middle of the first occurrence of `text` on the screen.
  private func click(_ text: String, _ state: State) -> [Action] {
    let screen = view(state, size: .ordinary)
    for row in 0..<screen.size.rows {
      let line = Array(screen.text(row: row))
      for start in line.indices where String(line[start...]).hasPrefix(text) {
        return screen.actions(for: Mouse(.press, column: start + text.count / 2, row: row))
      }
    }
    return []
  }

  @Test(
    arguments: [
      ("3 Tr", [.pressed(.setANC(.transparency))]), ("e EQ", [.pressed(.nextEQ)]),
      ("? Help", [.pressed(.help)]), ("c Disconnect", [.pressed(.connectOrDisconnect)]),
      ("m Mute", [.pressed(.toggleMute)]), ("s Scan", [.pressed(.scan)]),
      ("Nimbus", [.pointed(.headphone(HeadphoneID(rawValue: "nimbus")))]),
      ("音楽", [.pointed(.headphone(HeadphoneID(rawValue: "studio")))]),
      ("Bass", [.choiceMade(.equaliserPreset, "bass-boost")]),
      ("Noise control", [.pointed(.control(.anc))]),
      ("Equaliser", [.pointed(.control(.eq))]),
      ("Ambient level", [.pointed(.control(.ancLevel))]),
      ("Wear", [.pointed(.control(.setting(.wearDetection)))]),
      ("● on", [.pointed(.control(.setting(.wearDetection))), .pressed(.right)]),
      ("● Aurora", [.pointed(.audio(.volume))]),
      ("Built-in", [.pointed(.audio(.output("pci")))]),
      ("AUDIO ROUTE", [.pointed(.panel(.audio))]), ("CONTROL LINK", [.pointed(.panel(.control))]),
      ("HEADPHONES", [.pointed(.panel(.headphones))]), ("75%", [.pointed(.panel(.control))]),
    ] as [(String, [Action])])
  func `asks for what it points at`(text: String, actions: [Action]) {
    // Where the panel has the focus, what is said of its row takes the place of its keys.
    #expect(click(text, Example.state().changed { $0.focus = .headphones }) == actions)
  }

  @Test func `sets a bar where it is clicked, and turns it by its wheel`() throws {
    let screen = view(Example.state(), size: .ordinary)
    let row = try #require((0..<24).first { screen.text(row: $0).contains("Ambient level") })
    let line = Array(screen.text(row: row))
    let start = try #require(line.firstIndex(of: "━"))
    let end = try #require(line.lastIndex(of: "─"))
    let place = Action.pointed(.control(.ancLevel))
    let middle = (start + end) / 2
    let half = ((middle - start) * 100 + (end - start) / 2) / (end - start)
    #expect((46...54).contains(half))
    for (column, percent) in [(start, 0), (end, 100), (middle, half)] {
      #expect(
        screen.actions(for: Mouse(.press, column: column, row: row))
          == [place, .barSet(.ancLevel, percent: percent)])
    }
    #expect(
      screen.actions(for: Mouse(.wheelUp, column: start, row: row)) == [place, .pressed(.raise)])
    #expect(
      screen.actions(for: Mouse(.wheelDown, column: start, row: row)) == [place, .pressed(.lower)])
  }

  /// A drag keeps its target, also beyond its ends and its row.
  @Test(arguments: [(-20, 0), (0, 0), (200, 100)])
  func `drags a bar, wherever the pointer is`(column: Int, percent: Int) throws {
    let screen = view(Example.state(), size: .ordinary)
    let row = try #require((0..<24).first { screen.text(row: $0).contains("Ambient level") })
    let start = try #require(Array(screen.text(row: row)).firstIndex(of: "━"))
    let origin = CellPosition(column: start + 1, row: row)
    for other in [row, row - 3, 0, 40] {
      #expect(
        screen.actions(for: Mouse(.drag, column: column, row: other, from: origin))
          == [.pointed(.control(.ancLevel)), .barSet(.ancLevel, percent: percent)])
    }
    // What is no bar is not pressed again by moving over it, nor is a bar by coming over it.
    let label = CellPosition(column: start - 10, row: row)
    #expect(
      screen.actions(for: Mouse(.drag, column: start + 1, row: row, from: label)) == [])
  }

  @Test func `drags a slider of the equaliser`() throws {
    let state = Example.state().changed {
      $0.page = .equaliser(EQEditor(headphone: Example.aurora, row: .band(0)))
    }
    let screen = view(state, size: .ordinary)
    let place = try #require(
      (0..<24).flatMap { row in (0..<80).map { CellPosition(column: $0, row: row) } }.first {
        let press = Mouse(.press, column: $0.column, row: $0.row)
        return screen.actions(for: press).contains {
          if case .sliderSet(3, _) = $0 { true } else { false }
        }
      })
    let most = try #require(BandGain(halfDecibels: 24))
    #expect(
      screen.actions(for: Mouse(.drag, column: 0, row: -5, from: place))
        == [.sliderSet(band: 3, most)])
  }

  /// A click has one effect, so that the second of a double click hits the same target.
  @Test(arguments: [Size.ordinary, .large, .small, Size(columns: 200, rows: 60)])
  func `changes one thing with each click on an output`(size: Size) {
    let state = Example.state().changed {
      $0.audio = .running(Example.sound(to: "pci"))
      $0.focus = .audio
    }
    let screen = view(state, size: size)
    var volumes: Set<[Action]> = []
    for row in 0..<size.rows {
      for column in 0..<size.columns {
        let actions = screen.actions(for: Mouse(.press, column: column, row: row))
        guard case .pointed(.audio(let place))? = actions.first else { continue }
        var clicked = state
        var effects: [Effect] = []
        for action in actions + actions { effects += clicked.reduce(action, at: Example.now) }
        #expect(!effects.contains { if case .audio(.route(_)) = $0 { true } else { false } })
        #expect(clicked.audioCursor == place && clicked.audioRows == state.audioRows)
        let sinks = Set(
          effects.compactMap { if case .audio(.setVolume(let sink, _)) = $0 { sink } else { nil } })
        let owner =
          switch place {
          case .output(let name): name
          case .volume: "bluez"
          case .offset: ""
          }
        #expect(sinks.isSubset(of: [owner]))
        if actions.count > 1 { volumes.insert([actions[0]]) }
      }
    }
    #expect(size == .small || volumes.count == 3)
  }

  /// Whatever looks clickable is: keys, chips and rows of lists.
  @Test(arguments: [Size.ordinary, .large, .small, Size(columns: 60, rows: 24)])
  func `finds a target wherever one is drawn`(size: Size) {
    for page in [
      Page.main, .log(line: 0), .info(line: 0), .doctor(line: 0), .security(line: 0), .firmware,
      .equaliser(EQEditor(headphone: Example.aurora, row: .band(0))),
    ] {
      let screen = view(Example.state().changed { $0.page = page }, size: size)
      for row in 0..<size.rows {
        for column in 0..<size.columns {
          switch screen[column, row].role {
          case _ where screen[column, row].text == "▸": break
          case .key, .segment, .segmentSelected, .rowSelected:
            let actions = screen.actions(for: Mouse(.press, column: column, row: row))
            #expect(actions != [], "\(page) \(column),\(row): \(screen.text(row: row))")
          default: break
          }
        }
      }
    }
  }

  /// A click on a key has the key's effect, on every page and in every dialog.
  @Test(arguments: [
    Size.ordinary, .large, .small, Size(columns: 60, rows: 24), Size(columns: 200, rows: 60),
  ])
  func `does what the key does that it points at`(size: Size) {
    var seen = 0
    for state in Self.states {
      let screen = view(state, size: size)
      for (text, column, row) in keys(on: screen) {
        // Of two opposite keys a click is the second.
        guard let name = text.split(separator: " ").last, let key = Self.key(String(name)) else {
          Issue.record("no key is called \(text)")
          continue
        }
        let clicked = screen.actions(for: Mouse(.press, column: column, row: row))
        let pressed = KeyMap.standard.actions(for: key, in: state)
        #expect(
          clicked == pressed || clicked.suffix(pressed.count) == pressed[...],
          "\(text): \(screen.text(row: row))")
        seen += 1
      }
    }
    #expect(seen > 40)
  }

  private static let states: [State] = {
    let pages: [Page] = [
      .main, .log(line: 0), .info(line: 0), .doctor(line: 0), .security(line: 0), .firmware,
      .inspector(line: 0),
      .touch(line: 0), .pairedDevices(line: 0), .broadcasts(line: 0),
      .equaliser(EQEditor(headphone: Example.aurora, row: .preset)),
      .equaliser(EQEditor(headphone: Example.aurora, row: .band(3))),
    ]
    let dialogs: [Dialog] = [
      .question(Question(.find(Example.aurora))), .question(Question(.quitDuringUpdate)),
      .entry(TextEntry(.rename(Example.aurora), text: "x")), .entry(TextEntry(.search(on: .main))),
      .entry(TextEntry(.importEQ(Example.aurora))),
    ]
    return pages.map { page in Example.state().changed { $0.page = page } }
      + Panel.allCases.map { panel in Example.state().changed { $0.focus = panel } }
      + dialogs.map { dialog in Example.state().changed { $0.dialog = dialog } }
  }()

  private static func key(_ name: String) -> Key? {
    let arrows: [String: Key] = ["↑": .up, "↓": .down, "←": .left, "→": .right]
    return arrows[name] ?? Key(name: name)
  }

  /// Returns each run of cells that name a key, with its position.
  private func keys(on screen: Screen) -> [(text: String, column: Int, row: Int)] {
    var keys: [(String, Int, Int)] = []
    for row in 0..<screen.size.rows {
      var (text, start) = ("", 0)
      for column in 0...screen.size.columns {
        if column < screen.size.columns, screen[column, row].role == .key {
          if text.isEmpty { start = column }
          text += screen[column, row].text
        } else if !text.isEmpty {
          keys.append((text, start, row))
          text = ""
        }
      }
    }
    return keys
  }

  @Test func `reaches only what lies on top`() {
    let state = Example.state().changed { $0.dialog = .question(Question(.quitDuringUpdate)) }
    #expect(click("y Quit", state) == [.pressed(.right), .pressed(.accept)])
    #expect(click("n Stay", state) == [.pressed(.back)])
    #expect(click("c Disconnect", state) == [])
  }

  @Test func `moves by its wheel`() {
    let screen = view(Example.state(), size: .ordinary)
    #expect(screen.actions(for: Mouse(.wheelUp, column: 0, row: 0)) == [.pressed(.up)])
    #expect(screen.actions(for: Mouse(.wheelDown, column: 0, row: 0)) == [.pressed(.down)])
    #expect(
      screen.actions(for: Mouse(.wheelDown, column: 5, row: 19))
        == [.pointed(.panel(.headphones)), .pressed(.down)])
    #expect(screen.actions(for: Mouse(.press, column: 500, row: -3)) == [])
  }

  @Test func `sets the sliders of the equaliser, from end to end`() {
    let state = Example.state().changed {
      $0.page = .equaliser(EQEditor(headphone: Example.aurora, row: .band(0)))
    }
    let screen = view(state, size: .ordinary)
    var gains: [Int: [BandGain]] = [:]
    for row in 0..<screen.size.rows {
      for column in 0..<screen.size.columns {
        for case .sliderSet(let band, let gain) in screen.actions(
          for: Mouse(.press, column: column, row: row))
        {
          gains[band, default: []].append(gain)
        }
      }
    }
    #expect(gains.keys.sorted() == Array(0..<8))
    for (band, gains) in gains {
      #expect(gains == gains.sorted().reversed(), "\(band)")
      #expect(gains.first?.halfDecibels == 24 && gains.last?.halfDecibels == -24, "\(band)")
      #expect(gains[gains.count / 2] == .flat, "\(band)")
    }
  }

  @Test(arguments: [1, 7, 15, 21, 25, 49], [12, 24] as [Int8])
  func `finds a slider's knob where it is drawn`(rows: Int, limit: Int8) throws {
    let limit = try #require(BandGain(halfDecibels: limit))
    let scale = SliderScale(rows: rows, limit: limit)
    for row in 0..<rows where rows <= Int(limit.halfDecibels) * 2 + 1 {
      #expect(scale.row(of: scale.gain(at: row)) == row)
    }
    #expect(scale.gain(at: 0) == limit && scale.row(of: .most) == 0)
    #expect(
      scale.row(of: .flat) == scale.middle && scale.gain(at: scale.middle) == .flat || rows == 1)
  }
}
