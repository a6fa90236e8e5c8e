import HeadphoneProtocols
import Testing

@testable import Companion

/// The user's presets on the equaliser page: saved, used, renamed, deleted, imported.
@Suite struct `Saved presets` {
  private static func gains(_ halves: Int8...) -> [BandGain] {
    halves.compactMap { BandGain(halfDecibels: $0) }
  }

  private static let evening = SavedEQ(name: "evening", gains: gains(1, 2, 3, 4, 5))
  private static let other = SavedEQ(name: "for ten bands", gains: gains(1, 2))

  /// Returns the page with one preset for five bands and one for another number.
  private func open() -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(
      .headphone(ear, .eqChanged(.custom, bands: Self.gains(0, 0, 0, 0, 0))),
      .pressed(.equaliser), .equaliser(.saved([Self.evening, Self.other])))
    return scenario
  }

  private func type(_ text: String, into scenario: inout Scenario) {
    for character in text { scenario.given(.typed(.character(character))) }
  }

  @Test func `only those with as many bands can be chosen`() {
    #expect(open().state.equaliserRows.last == .saved("evening"))
  }

  @Test func `Enter uses the one under the cursor`() {
    var scenario = open()
    scenario.given(.pressed(.otherPanel))
    #expect(
      scenario.effects(of: .pressed(.accept)) == [
        .perform(ear, .setCustomEQ(Self.evening.gains), CommandToken(rawValue: 1))
      ])
  }

  @Test func `gains are saved under a name that is typed`() {
    var scenario = open()
    scenario.given(.pressed(.savePreset))
    type(" morning ", into: &scenario)
    #expect(
      scenario.effects(of: .pressed(.accept)) == [
        .changeEQs(.keep(SavedEQ(name: "morning", gains: Self.gains(0, 0, 0, 0, 0))))
      ])
    #expect(scenario.state.dialog == nil)
  }

  @Test func `a name that is there is asked about`() {
    var scenario = open()
    scenario.given(.pressed(.savePreset))
    type("evening", into: &scenario)
    #expect(scenario.effects(of: .pressed(.accept)) == [])
    let saved = SavedEQ(name: "evening", gains: Self.gains(0, 0, 0, 0, 0))
    #expect(scenario.state.dialog == .question(Question(.replaceEQ(saved))))
    scenario.given(.pressed(.right))
    #expect(scenario.effects(of: .pressed(.accept)) == [.changeEQs(.keep(saved))])
  }

  @Test(arguments: [
    ("", "a name is needed"),
    (String(repeating: "x", count: 41), "a name has at most 40 characters"),
    ("a\u{202E}b", "the name has characters that cannot be shown"),
  ])
  func `a name that is none is refused`(name: String, complaint: String) {
    var scenario = open()
    scenario.given(.pressed(.savePreset))
    type(name, into: &scenario)
    #expect(scenario.effects(of: .pressed(.accept)) == [])
    guard case .entry(let entry) = scenario.state.dialog else {
      Issue.record("the entry is closed")
      return
    }
    #expect(entry.complaint == complaint)
  }

  @Test func `n renames, X asks and deletes`() {
    var scenario = open()
    scenario.given(.pressed(.otherPanel), .pressed(.rename), .typed(.character("s")))
    #expect(
      scenario.effects(of: .pressed(.accept)) == [.changeEQs(.rename("evening", to: "evenings"))])
    scenario = open()
    scenario.given(.pressed(.otherPanel), .pressed(.forget))
    #expect(scenario.state.dialog == .question(Question(.deleteEQ(name: "evening"))))
    scenario.given(.pressed(.right))
    #expect(scenario.effects(of: .pressed(.accept)) == [.changeEQs(.delete("evening"))])
    scenario.given(.equaliser(.saved([])))
    guard case .equaliser(let editor) = scenario.state.page else {
      Issue.record("the page is closed")
      return
    }
    #expect(editor.row == .band(4))
  }

  @Test func `what cannot be kept is a problem`() {
    var scenario = open()
    scenario.send(.equaliser(.failed("no room"))) {
      $0.complains("equaliser presets: no room", advice: "")
    }
  }

  @Test func `an import asks for a path, and becomes gains with what is lost`() {
    var scenario = open()
    scenario.given(.pressed(.importPreset))
    type("'/tmp/a b.txt'", into: &scenario)
    #expect(
      scenario.effects(of: .pressed(.accept)) == [.importEQ(ear, path: "/tmp/a b.txt")])
    let curve = ParametricEQ(preamp: -3, filters: [], omissions: ["line 2: \"x\" is left out"])
    let effects = scenario.effects(
      of: .equaliser(.imported(ear, path: "/tmp/a b.txt", curve)))
    let gains = Self.gains(-6, -6, -6, -6, -6)
    #expect(
      effects == [
        .perform(ear, .setCustomEQ(gains), CommandToken(rawValue: 1)), .noticeTimer,
      ])
    let imported = scenario.state.headphones[ear]?.eqImport
    #expect(imported?.fit.gains == gains)
    #expect(imported?.fit.losses.last == "line 2: \"x\" is left out")
  }

  @Test func `an import that makes no sense says where`() {
    var scenario = open()
    scenario.send(.equaliser(.rejected(ear, reason: "a.txt: line 3: a filter is ON or OFF"))) {
      $0.complains(
        "not imported: a.txt: line 3: a filter is ON or OFF",
        advice: "use a file such as AutoEq's ParametricEQ.txt", ear)
    }
  }
}
