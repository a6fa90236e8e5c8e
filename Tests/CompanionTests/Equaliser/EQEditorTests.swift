import HeadphoneProtocols
import Testing

@testable import Companion

/// The equaliser page: each key, its effects, and undo.
@Suite struct `The equaliser's editor` {
  private static let flat = gains(0, 0, 0, 0, 0)

  private static func gains(_ halves: Int8...) -> [BandGain] {
    halves.compactMap { BandGain(halfDecibels: $0) }
  }

  private func token(_ number: UInt64) -> CommandToken { CommandToken(rawValue: number) }

  /// Returns the page with the preset balanced and these custom gains.
  private func open(_ gains: [BandGain] = flat) -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(
      .headphone(ear, .eqChanged(.balanced, bands: gains)), .pressed(.equaliser))
    return scenario
  }

  private func end(
    _ scenario: inout Scenario, _ command: HeadphoneCommand, _ number: UInt64,
    _ outcome: CommandOutcome = .done
  ) -> [Effect] {
    if outcome == .done {
      switch command {
      case .setCustomEQ(let gains):
        scenario.given(.headphone(ear, .eqChanged(.custom, bands: gains)))
      case .setEQ(let preset): scenario.given(.headphone(ear, .eqChanged(preset, bands: nil)))
      case .set(let id, let value): scenario.given(.headphone(ear, .settingChanged(id, value)))
      default: break
      }
    }
    return scenario.effects(of: .commandEnded(ear, command, token(number), outcome))
  }

  @Test func `opens on the lowest band and remembers how it was`() {
    var scenario = Scenario.withReady()
    scenario.given(.headphone(ear, .eqChanged(.balanced, bands: Self.flat)))
    scenario.press(.equaliser, effects: [.readEQs]) {
      $0.page = .equaliser(
        EQEditor(
          headphone: ear, row: .band(0), opening: EQSound(preset: .balanced, gains: Self.flat)))
    }
    scenario.press(.equaliser) { $0.page = .main }
  }

  @Test func `needs a headphone with an equaliser that is connected`() {
    var none = allFeatures
    none.eqPresets = []
    none.eqBands = 0
    var scenario = Scenario.withReady(none)
    scenario.press(.equaliser, effects: [.noticeTimer]) {
      $0.explains("this headphone has no equaliser", ear)
    }
    scenario = Scenario.withHeadphone()
    scenario.press(.equaliser, effects: [.noticeTimer]) {
      $0.explains("not connected", ear, remedy: .connectOrDisconnect)
    }
  }

  @Test func `a band goes as far as the headphone, by whatever key`() throws {
    var able = allFeatures
    able.eqLimit = try #require(BandGain(halfDecibels: 12))
    var scenario = Scenario.withReady(able)
    scenario.given(
      .headphone(ear, .eqChanged(.custom, bands: Self.gains(12, 0, 0, 0, 0))),
      .pressed(.equaliser))
    #expect(scenario.effects(of: .pressed(.raise)) == [])
    let loud = SavedEQ(name: "loud", gains: Self.gains(0, -24, 0, 0, 24))
    scenario.given(.equaliser(.saved([loud])), .pressed(.otherPanel))
    let effects = scenario.effects(of: .pressed(.accept))
    #expect(effects.first == .perform(ear, .setCustomEQ(Self.gains(0, -12, 0, 0, 12)), token(1)))
    #expect(scenario.state.notice?.text == "loud: 6.0 dB is the limit of this headphone")
  }

  @Test(arguments: [
    (UserCommand.raise, 2 as Int8), (.up, 2), (.lower, -2), (.down, -2), (.pageUp, 6),
    (.pageDown, -6),
  ])
  func `a band moves by the headphone's whole steps, up and down`(
    _ command: UserCommand, _ halves: Int8
  ) throws {
    var able = allFeatures
    able.eqStep = try #require(BandGain(halfDecibels: 2))
    var scenario = Scenario.withReady(able)
    scenario.given(
      .headphone(ear, .eqChanged(.custom, bands: Self.gains(4, 0, 0, 0, 0))), .pressed(.equaliser))
    #expect(
      scenario.effects(of: .pressed(command))
        == [.perform(ear, .setCustomEQ(Self.gains(4 + halves, 0, 0, 0, 0)), token(1))])
  }

  @Test func `a click sets a slider, and the cursor goes there`() throws {
    var scenario = open()
    let gain = try #require(BandGain(halfDecibels: -9))
    let wanted = Self.gains(0, 0, 0, -9, 0)
    #expect(
      scenario.effects(of: .sliderSet(band: 3, gain))
        == [.perform(ear, .setCustomEQ(wanted), token(1))])
    guard case .equaliser(let editor) = scenario.state.page else {
      Issue.record("the page is closed")
      return
    }
    #expect(editor.row == .band(3))
    #expect(scenario.effects(of: .sliderSet(band: 3, gain)) == [])
    // There is no such slider, or it is not on the screen.
    #expect(scenario.effects(of: .sliderSet(band: 5, gain)) == [])
    scenario.given(.pressed(.equaliser))
    #expect(scenario.state.page == .main)
    #expect(scenario.effects(of: .sliderSet(band: 0, gain)) == [])
  }

  @Test func `a slider is received at once, and the last of many preferences arrives`() {
    var scenario = open()
    let first = Self.gains(1, 0, 0, 0, 0)
    #expect(
      scenario.effects(of: .pressed(.raise)) == [.perform(ear, .setCustomEQ(first), token(1))])
    for _ in 0..<20 { #expect(scenario.effects(of: .pressed(.raise)) == []) }
    let last = Self.gains(21, 0, 0, 0, 0)
    #expect(scenario.state.headphones[ear]?.bands.shown == last)
    #expect(scenario.state.headphones[ear]?.presetToCome == .custom)
    #expect(
      end(&scenario, .setCustomEQ(first), 1) == [.perform(ear, .setCustomEQ(last), token(2))])
    #expect(end(&scenario, .setCustomEQ(last), 2) == [])
    #expect(scenario.state.headphones[ear]?.bands == Setting(last))
  }

  @Test func `a slider ends where the headphone's range does`() {
    var scenario = open(Self.gains(24, -24, 0, 0, 0))
    scenario.given(.headphone(ear, .eqChanged(.custom, bands: nil)))
    scenario.press(.raise)
    scenario.given(.pressed(.right))
    scenario.press(.lower)
  }

  @Test func `0 makes a band flat, and on the presets all of them`() {
    let crooked = Self.gains(4, -6, 0, 0, 2)
    var scenario = open(crooked)
    #expect(
      scenario.effects(of: .pressed(.flatten)) == [
        .perform(ear, .setCustomEQ(Self.gains(0, -6, 0, 0, 2)), token(1))
      ])
    scenario = open(crooked)
    scenario.given(.pressed(.previousPanel))
    #expect(
      scenario.effects(of: .pressed(.flatten)) == [
        .perform(ear, .setCustomEQ(Self.flat), token(1))
      ])
  }

  @Test func `gains and then a preset arrive one after the other`() {
    var scenario = open()
    let moved = Self.gains(1, 0, 0, 0, 0)
    scenario.given(.pressed(.raise), .pressed(.previousPanel))
    #expect(scenario.effects(of: .pressed(.right)) == [])
    #expect(scenario.state.headphones[ear]?.presetToCome == .bassBoost)
    #expect(
      end(&scenario, .setCustomEQ(moved), 1) == [.perform(ear, .setEQ(.bassBoost), token(2))])
    #expect(end(&scenario, .setEQ(.bassBoost), 2) == [])
    #expect(scenario.state.headphones[ear]?.eq == Setting(.bassBoost))
  }

  @Test func `gains after a preset leave the preset that waits behind`() {
    var scenario = open()
    scenario.given(.pressed(.previousPanel))
    #expect(
      scenario.effects(of: .pressed(.right)) == [.perform(ear, .setEQ(.bassBoost), token(1))])
    #expect(scenario.effects(of: .pressed(.right)) == [])
    scenario.given(.pressed(.otherPanel))
    #expect(scenario.effects(of: .pressed(.raise)) == [])
    let moved = Self.gains(1, 0, 0, 0, 0)
    #expect(
      end(&scenario, .setEQ(.bassBoost), 1) == [.perform(ear, .setCustomEQ(moved), token(2))])
    #expect(end(&scenario, .setCustomEQ(moved), 2) == [])
  }

  @Test func `a failure shows what is true, and the next request still goes`() {
    var scenario = open()
    scenario.given(.pressed(.raise), .pressed(.previousPanel), .pressed(.right))
    let effects = end(
      &scenario, .setCustomEQ(Self.gains(1, 0, 0, 0, 0)), 1, .failed(.noResponse))
    #expect(effects == [.perform(ear, .setEQ(.bassBoost), token(2))])
    #expect(scenario.state.headphones[ear]?.bands == Setting(Self.flat))
    #expect(scenario.state.problem != nil)
  }

  @Test func `Esc keeps what is heard, and u on the main page takes it back`() {
    var scenario = open(Self.gains(2, 2, 2, 2, 2))
    let moved = Self.gains(3, 2, 2, 2, 2)
    scenario.given(.pressed(.raise))
    _ = end(&scenario, .setCustomEQ(moved), 1)
    #expect(scenario.effects(of: .pressed(.back)) == [.noticeTimer])
    #expect(scenario.state.page == .main && scenario.state.notice?.remedy == .undo)
    #expect(scenario.state.headphones[ear]?.bands.confirmed == moved)
    let undone = scenario.effects(of: .pressed(.undo))
    #expect(undone.first == .perform(ear, .setCustomEQ(Self.gains(2, 2, 2, 2, 2)), token(2)))
    #expect(
      end(&scenario, .setCustomEQ(Self.gains(2, 2, 2, 2, 2)), 2) == [
        .perform(ear, .setEQ(.balanced), token(3))
      ])
    scenario.press(.undo, effects: [.noticeTimer]) { $0.explains("nothing to undo") }
  }

  /// Every way to leave the page and return.
  @Test(arguments: [UserCommand.back, .equaliser, .accept, .log, .info, .doctor])
  func `no way out of the page loses its history`(way: UserCommand) {
    var scenario = open()
    func heard() -> [BandGain]? { scenario.state.headphones[ear]?.bands.shown }
    scenario.given(.pressed(.raise), .pressed(.raise), .pressed(.undo), .pressed(way))
    #expect(scenario.state.page.kind != .equaliser)
    if scenario.state.page != .main { scenario.given(.pressed(.back)) }
    scenario.given(.pressed(.equaliser))
    #expect(heard() == Self.gains(1, 0, 0, 0, 0))
    scenario.given(.pressed(.redo))
    #expect(heard() == Self.gains(2, 0, 0, 0, 0))
    scenario.given(.pressed(.undo), .pressed(.undo))
    #expect(heard() == Self.flat)
  }

  @Test func `leaving during a comparison keeps the changes for u`() {
    var scenario = open()
    scenario.given(.pressed(.raise), .pressed(.compare), .pressed(.back))
    #expect(scenario.state.headphones[ear]?.presetToCome == .balanced)
    #expect(scenario.state.notice?.remedy == .undo)
    scenario.given(.pressed(.undo))
    #expect(scenario.state.headphones[ear]?.bands.shown == Self.gains(1, 0, 0, 0, 0))
  }

  @Test func `Esc without a change says nothing, and Enter leaves as well`() {
    var scenario = open()
    scenario.press(.back) { $0.page = .main }
    scenario = open()
    scenario.given(.pressed(.raise))
    #expect(scenario.effects(of: .pressed(.accept)) == [.noticeTimer])
    #expect(scenario.state.page == .main)
    #expect(scenario.state.headphones[ear]?.bands.pending == Self.gains(1, 0, 0, 0, 0))
  }

  @Test func `a headphone that leaves in the middle takes no request, and Esc still goes back`() {
    var scenario = open()
    scenario.given(.pressed(.raise), .link(ear, .ended(.timeout)))
    #expect(scenario.state.headphones[ear]?.bands.pending == nil)
    _ = scenario.effects(of: .pressed(.raise))
    #expect(scenario.state.headphones[ear]?.bands.pending == nil)
    _ = scenario.effects(of: .pressed(.back))
    #expect(scenario.state.page == .main)
  }

  @Test func `arrows move between bands and change the one of the cursor, and never leave them`() {
    var scenario = open()
    func row() -> EQEditor.Row? {
      if case .equaliser(let editor) = scenario.state.page { editor.row } else { nil }
    }
    for command in [UserCommand.left, .right, .right, .bottom, .right] {
      scenario.given(.pressed(command))
    }
    #expect(row() == .band(4))
    let up = Self.gains(0, 0, 0, 0, 1)
    #expect(scenario.effects(of: .pressed(.up)) == [.perform(ear, .setCustomEQ(up), token(1))])
    scenario.given(.pressed(.pageDown), .pressed(.down))
    #expect(scenario.state.headphones[ear]?.bands.shown == Self.gains(0, 0, 0, 0, -6))
    scenario.given(.pressed(.otherPanel))
    #expect(row() == .preset)
    scenario.given(.pressed(.down))
    #expect(row() == .preset && scenario.state.headphones[ear]?.presetToCome != .custom)
    scenario.given(.pressed(.otherPanel))
    #expect(row() == .band(0))
  }

  @Test func `undo and redo go through the changes, and compare to the beginning and back`() {
    var scenario = open()
    func heard() -> [BandGain]? { scenario.state.headphones[ear]?.bands.shown }
    scenario.press(.undo, effects: [.noticeTimer]) { $0.explains("nothing to undo") }
    scenario.given(.pressed(.raise), .pressed(.raise), .pressed(.right), .pressed(.lower))
    let edited = Self.gains(2, -1, 0, 0, 0)
    #expect(heard() == edited)
    scenario.given(.pressed(.undo), .pressed(.undo))
    #expect(heard() == Self.gains(1, 0, 0, 0, 0))
    scenario.given(.pressed(.redo), .pressed(.redo))
    #expect(heard() == edited)
    scenario.given(.pressed(.compare))
    #expect(heard() == Self.flat && scenario.state.headphones[ear]?.presetToCome == .balanced)
    scenario.given(.pressed(.compare))
    #expect(heard() == edited && scenario.state.headphones[ear]?.presetToCome == .custom)
    scenario.given(.pressed(.undo), .pressed(.undo), .pressed(.undo))
    #expect(heard() == Self.flat && scenario.state.headphones[ear]?.presetToCome == .balanced)
  }

  // MARK: Presets with names of the maker's

  /// Returns the page of a headphone with a maker's presets, the first one active.
  private func openMakers(bands: Int) -> Scenario {
    var able = allFeatures
    able.eqPresets = []
    able.eqBands = bands
    able.settings.append(
      SettingDeclaration(
        .equaliserPreset,
        .choice(["relaxed", "bright", "manual"].map { SettingChoice($0, title: $0) }),
        title: "Equaliser", label: "EQ", group: .sound))
    var scenario = Scenario.withReady(able)
    scenario.given(
      .headphone(ear, .settingChanged(.equaliserPreset, .choice("relaxed"))), .pressed(.equaliser))
    return scenario
  }

  private func preset(_ name: String) -> HeadphoneCommand { .set(.equaliserPreset, .choice(name)) }

  @Test func `a maker's presets are stepped through, undone and compared`() {
    var scenario = openMakers(bands: 0)
    #expect(scenario.state.equaliserRows == [.preset])
    let steps: [(UserCommand, String)] = [
      (.right, "bright"), (.undo, "relaxed"), (.redo, "bright"), (.compare, "relaxed"),
      (.compare, "bright"), (.undo, "relaxed"),
    ]
    for (number, (command, name)) in zip((1 as UInt64)..., steps) {
      #expect(
        scenario.effects(of: .pressed(command)).first
          == .perform(ear, preset(name), token(number)))
      _ = end(&scenario, preset(name), number)
    }
    #expect(scenario.effects(of: .pressed(.back)) == [])
    #expect(scenario.state.page == .main)
  }

  @Test func `a maker's preset comes back after its gains were changed`() {
    var scenario = openMakers(bands: 5)
    scenario.given(.headphone(ear, .eqChanged(.custom, bands: Self.flat)))
    let louder = Self.gains(1, 0, 0, 0, 0)
    scenario.given(.pressed(.raise))
    _ = end(&scenario, .setCustomEQ(louder), 1)
    scenario.given(.headphone(ear, .settingChanged(.equaliserPreset, .choice("manual"))))
    #expect(
      scenario.effects(of: .pressed(.undo)).first == .perform(ear, preset("relaxed"), token(2)))
  }

  @Test func `another headphone closes the page of this one`() {
    var scenario = Scenario.withHeadphone(
      peripheral(ear), peripheral(bud, name: "Bud", address: "C0:00:00:00:00:01"))
    scenario.given(
      .pressed(.connectOrDisconnect), .link(ear, .connected),
      .link(ear, .ready(description(), isEncrypted: false)), .pressed(.equaliser))
    scenario.given(.pressed(.nextHeadphone))
    #expect(scenario.state.page == .main)
  }
}
