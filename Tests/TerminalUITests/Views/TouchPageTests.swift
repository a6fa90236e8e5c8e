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
    let screen = view(Example.touch(line: 0), size: .ordinary)
    let lines = (0..<screen.size.rows).compactMap { row in
      screen.actions(for: Mouse(.press, column: 10, row: row)).first
    }
    for line in TouchPlace.allCases.indices {
      #expect(lines.contains(.pointed(.line(line))))
    }
  }
}
