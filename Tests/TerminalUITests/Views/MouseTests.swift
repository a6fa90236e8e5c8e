import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

@Suite struct `The mouse` {
  /// Clicks the middle of the first place where the screen shows `text`.
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

  @Test(arguments: [
    ("3 Transp", [UserCommand.setANC(.transparency)]), ("e EQ", [.nextEQ]), ("? Help", [.help]),
    ("c Disconnect", [.connectOrDisconnect]), ("Nimbus", [.nextHeadphone]),
    ("音楽", [.nextHeadphone, .nextHeadphone]), ("Aurora Pro     ", []), ("Left", []),
  ])
  func `asks for what it points at`(text: String, commands: [UserCommand]) {
    #expect(click(text, Example.state()) == commands.map(Action.pressed))
  }

  @Test func `reaches only what lies on top`() {
    let state = Example.state().changed { $0.dialog = .question(Question(.quitDuringUpdate)) }
    #expect(click("y Yes", state) == [.pressed(.right), .pressed(.accept)])
    #expect(click("n No", state) == [.pressed(.back)])
    #expect(click("c Disconnect", state) == [])
  }

  @Test func `moves by its wheel`() {
    let screen = view(Example.state(), size: .ordinary)
    #expect(screen.actions(for: Mouse(.wheelUp, column: 0, row: 0)) == [.pressed(.up)])
    #expect(screen.actions(for: Mouse(.wheelDown, column: 0, row: 0)) == [.pressed(.down)])
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
      #expect(gains == gains.sorted(), "\(band)")
      #expect(gains.first?.halfDecibels == -24 && gains.last?.halfDecibels == 24, "\(band)")
      #expect(gains[gains.count / 2] == .flat, "\(band)")
    }
  }

  @Test(arguments: [7, 21, 49, 61], [12, 24] as [Int8])
  func `finds a slider's knob where it is drawn`(columns: Int, limit: Int8) throws {
    let limit = try #require(BandGain(halfDecibels: limit))
    let scale = SliderScale(columns: columns, limit: limit)
    let steps = Int(limit.halfDecibels) * 2 + 1
    for column in 0..<columns {
      let drawn = scale.column(of: scale.gain(at: column))
      // Fewer steps than columns: the nearest.
      #expect(abs(drawn - column) <= (columns > steps ? 1 : 0), "\(column)")
    }
    #expect(scale.gain(at: columns - 1) == limit && scale.column(of: .most) == columns - 1)
  }
}
