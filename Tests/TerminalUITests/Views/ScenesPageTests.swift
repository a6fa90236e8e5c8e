import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

extension Golden {
  static let scenePage: [Golden] = [
    .screen("scenes") { Example.scenes(2) }, .screen("scenes-40x12", .small) { Example.scenes(2) },
    .screen("scenes-none") { Example.scenes(0) },
    .screen("theme-choice") {
      Example.state().changed {
        $0.dialog = .theme(ThemeChoice(names: Theme.allCases.map(\.rawValue), line: 5))
      }
    },
  ]
}

extension Example {
  fileprivate static func scenes(_ count: Int) -> State {
    let all = [
      Scene(
        name: "desk",
        wishes: [.init(.noiseMode, "nc"), .init(.ambientLevel, "7"), .init(.wearDetection, "on")],
        output: "headphone", profile: "music"),
      Scene(name: "street", wishes: [.init(.noiseMode, "transparency"), .init("dsee", "on")]),
    ]
    var preferences = Preferences()
    preferences.scenes = Array(all.prefix(count))
    return state().changed {
      _ = $0.reduce(.configured(preferences, isResident: true), at: Timestamp(milliseconds: 0))
      $0.page = .scenes(line: 1)
    }
  }
}

@Suite struct `The dialogs of choices` {
  @Test func `show the theme of the page behind the list`() {
    let state = Example.state()
    let before = view(state, size: .large)
    let screen = view(
      state.changed { $0.dialog = .theme(ThemeChoice(names: ["standard", "nord"], line: 1)) },
      size: .large)
    #expect(screen[2, 0].role == before[2, 0].role && screen[2, 0].role != .muted)
  }

  @Test func `have a chip for each bud to find`() throws {
    let state = Example.state().changed {
      $0.headphones.update(Example.aurora) { $0.wearing = Wearing(left: false, right: false) }
      $0.dialog = .question(Question(.find(Example.aurora, .left)))
    }
    let screen = view(state, size: .ordinary)
    let row = try #require((0..<24).first { screen.text(row: $0).contains("Both") })
    #expect(screen.text(row: row).contains("Both ▐Left▌ Right"))
    let actions = (0..<80).flatMap { screen.actions(for: Mouse(.press, column: $0, row: row)) }
    for line in 0...2 { #expect(actions.contains(.pointed(.line(line)))) }
  }
}
