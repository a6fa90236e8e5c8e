import Companion
import HeadphoneProtocols
import TerminalUI
import Testing

/// From the bytes of other makers' headphones to the screen, on every page that shows them.
@Suite struct FamilyScreenTests {
  private static let sizes = ["80x24", "120x40", "40x12"]

  private func size(_ name: String) throws -> Size {
    let numbers = name.split(separator: "x").compactMap { Int($0) }
    return Size(columns: try #require(numbers.first), rows: try #require(numbers.last))
  }

  @Test(arguments: FamilyExample.allCases, sizes)
  func `a family has its own rows`(_ family: FamilyExample, _ name: String) throws {
    expectScreen(view(family.state, size: try size(name)), "family-\(family.rawValue)-\(name)")
  }

  @Test(arguments: FamilyExample.allCases, ["80x34", "40x34"])
  func `the information tells what it is, and what it lacks`(
    _ family: FamilyExample, _ name: String
  ) throws {
    var state = family.state
    _ = state.reduce(.pressed(.info), at: Example.now)
    expectScreen(
      view(state, size: try size(name)), "family-\(family.rawValue)-information-\(name)")
  }

  @Test(arguments: [FamilyExample.nothing, .nothingCustom, .soundcore], sizes)
  func `the equaliser goes as far as the headphone does`(
    _ family: FamilyExample, _ name: String
  ) throws {
    var state = family.state
    _ = state.reduce(.pressed(.equaliser), at: Example.now)
    expectScreen(view(state, size: try size(name)), "family-\(family.rawValue)-equaliser-\(name)")
  }

  @Test(arguments: [FamilyExample.nothing, .nothingHeadphone, .set], ["80x24", "40x12"])
  func `the question before it sounds knows whether there are buds`(
    _ family: FamilyExample, _ name: String
  ) throws {
    var state = family.state
    _ = state.reduce(.pressed(.find), at: Example.now)
    expectScreen(view(state, size: try size(name)), "family-\(family.rawValue)-find-\(name)")
  }

  @Test(arguments: ["80x24", "40x12"])
  func `AirPods that are only received have no attributes, and are not asked for a link`(
    _ name: String
  ) throws {
    var state = FamilyExample.airPodsDiscovered.state
    for _ in 1...2 { _ = state.reduce(.pressed(.info), at: Example.now) }
    expectScreen(view(state, size: try size(name)), "family-airpods-inspector-\(name)")
  }

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
}
