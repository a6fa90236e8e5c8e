import Companion
import HeadphoneProtocols
import TerminalUI
import Testing

extension Golden {
  /// Other makers' headphones from their bytes to every page that shows them.
  static let families: [Golden] =
    [
      .screen("family-nothing", showsRoles: true) { FamilyExample.nothing.state },
      .screen("family-nothing-40x12", .small) { FamilyExample.nothing.state },
      .screen("family-nothing-information", information) {
        FamilyExample.nothing.state(after: .info)
      },
      // Only as far as the headphone goes.
      .screen("family-equaliser") { FamilyExample.soundcore.state(after: .equaliser) },
      .rows(
        "families-equaliser", unlike: { FamilyExample.soundcore.state(after: .equaliser) }
      ) {
        [FamilyExample.nothing, .nothingCustom].map {
          ($0.rawValue, $0.state(after: .equaliser))
        }
      },
      // The question before it sounds knows whether there are buds.
      .rows("family-find", unlike: { FamilyExample.set.state }) {
        [FamilyExample.nothing, .nothingHeadphone, .set].map {
          ($0.rawValue, $0.state(after: .find, .find))
        }
      },
      // AirPods that are only heard have no attributes, and are not asked for a link.
      .screen("family-airpods-inspector") {
        FamilyExample.airPodsDiscovered.state(after: .info, .info)
      },
    ]
    + [Size.ordinary, .small].map { size in
      .rows("families" + size.suffix, size, unlike: { FamilyExample.nothing.state }) {
        // What another program holds is on the page of information only.
        FamilyExample.allCases.dropFirst().filter { $0 != .fastPairHeld }
          .map { ($0.rawValue, $0.state) }
      }
    }
    + [information, Size(columns: 40, rows: 34)].map { size in
      .rows(
        "families-information" + size.suffix, size,
        unlike: { FamilyExample.nothing.state(after: .info) }
      ) {
        FamilyExample.allCases.dropFirst().map { ($0.rawValue, $0.state(after: .info)) }
      }
    }

  private static let information = Size(columns: 80, rows: 34)
}

extension FamilyExample {
  fileprivate func state(after commands: UserCommand...) -> State {
    var state = state
    for command in commands { _ = state.reduce(.pressed(command), at: Example.now) }
    return state
  }
}

@Suite struct `Other makers' headphones` {
  @Test(arguments: FamilyExample.allCases)
  func `labels are whole, and nothing stands at the end of a bar`(_ family: FamilyExample) {
    for columns in 38...120 {
      let screen = view(family.state, size: Size(columns: columns, rows: 24))
      for row in 0..<screen.size.rows {
        let text = (0..<columns).map { screen[$0, row].text }.joined()
        for label in ["Batt…", "Volu…", "Upda…"] {
          #expect(!text.contains(label), "\(columns) columns: \(text)")
        }
        #expect(
          text.firstMatch(of: /[━─][0-9]/) == nil, "\(columns) columns: \(text)")
      }
    }
  }

  @Test(arguments: FamilyExample.allCases)
  func `have steps in their natural order`(family: FamilyExample) {
    let order = ["off", "low", "standard", "medium", "high"]
    for setting in family.state.headphones.selected?.capabilities?.controlRows ?? [] {
      guard case .choice(let choices) = setting.declaration.kind else { continue }
      let steps = choices.compactMap { order.firstIndex(of: $0.id) }
      #expect(steps == steps.sorted(), "\(setting.declaration.id)")
    }
  }

  /// The frame explains the row under the cursor, also in few columns.
  @Test(arguments: FamilyExample.allCases, [Size.ordinary, .large, .small])
  func `explain each setting in the frame`(family: FamilyExample, size: Size) throws {
    let state = family.state
    for setting in state.headphones.selected?.capabilities?.controlRows ?? [] {
      let explained = state.changed {
        $0.focus = .control
        $0.controlRow = setting.row
      }
      let explanation = try #require(setting.declaration.explanation, "\(setting.declaration.id)")
      #expect(explanation.count <= 34)
      let screen = view(explained, size: size)
      let said = (0..<size.rows).map { screen.text(row: $0) }.filter { $0.contains("╰") }
      let keys = ["chooses", "switches", "starts it", "opens the list", "reported by", " to "]
      let forms = size == .large ? [] : keys + (size == .small ? [setting.declaration.title] : [])
      #expect(
        said.contains { row in ([explanation] + forms).contains { row.contains($0) } },
        "\(setting.declaration.id)")
    }
  }
}
