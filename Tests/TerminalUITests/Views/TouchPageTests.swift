import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  static let touch: [Golden] = [
    .screen("touch") { Example.touch(line: 2) },
    .screen("touch-40x12", .small) { Example.touch(line: 6) },
    .rows("touch-scenes", unlike: { Example.touch(line: 2) }) {
      [
        (
          "unknown",
          Example.touch(line: 2).with {
            for place in TouchPlace.allCases { $0.settings[place.setting] = Setting() }
          }
        ),
        ("no link", Example.touch(line: 2).with { $0.link = .unwanted(.disconnected(.timeout)) }),
        ("searched", Example.touch(line: 2).changed { $0.filter = "hold" }),
      ]
    },
  ]
}

extension Example {
  fileprivate static func touch(line: Int) -> State {
    state().with { headphone in
      let actions: [TouchAction] = [.playPause, .next, .previous, .cycleANC]
      for place in TouchPlace.allCases {
        let action = actions[Int(place.gesture.rawValue)]
        headphone.settings[place.setting] = Setting(action.settingValue)
      }
      _ = headphone.settings[.touchAction(.left, .tripleTap)].want(
        .choice("assistant"), token: CommandToken(rawValue: 1))
    }.changed { $0.page = .touch(line: line) }
  }
}

@Suite struct `The page of touch actions` {
  @Test func `has a target for each gesture`() {
    for size in [Size.small, .ordinary] {
      let screen = view(Example.touch(line: 0), size: size)
      let lines = (0..<size.rows).flatMap { row in
        (0..<size.columns).compactMap {
          screen.actions(for: Mouse(.press, column: $0, row: row)).first
        }
      }
      for line in TouchPlace.allCases.indices {
        #expect(lines.contains(.pointed(.line(line))))
      }
    }
  }

  /// Where there is one column, it has the side in the title.
  @Test(arguments: [(Size.small, "▸Right, hold"), (.ordinary, "  ▸Next noise control mode")])
  func `has a column for each bud where there is room`(size: Size, words: String) throws {
    let screen = view(Example.touch(line: 7), size: size)
    let text = screen.text(row: try #require(screen.cursor).row)
    #expect(text.contains(words))
    #expect(text.contains(" Hold ") == (size == .ordinary))
  }

  @Test func `has one column where the buds have different gestures`() throws {
    let state = Example.touch(line: 0).with { headphone in
      headphone.capabilities?.hasTouchActions = false
      let ids: [SettingID] = ["hold-left", "hold-right", "double-press"]
      headphone.capabilities?.settings += ids.map {
        SettingDeclaration($0, .choice([SettingChoice("next", title: "Next")]))
      }
    }
    let screen = view(state, size: .ordinary)
    let text = screen.text(row: try #require(screen.cursor).row)
    #expect(text.contains("▸Touch and hold left  "))
    #expect(!(0..<24).contains { screen.text(row: $0).contains("Other bud") })
  }
}
