import Testing

@testable import Companion

@Suite struct `The list of themes` {
  private func scenario() -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(
      .configured(\.themes, Themes(names: ["standard", "nord", "dracula"], chosen: "nord")))
    return scenario
  }

  @Test func `shows each theme under its cursor, and nothing in the log`() {
    var scenario = scenario()
    let logged = scenario.state.log.total
    #expect(scenario.effects(of: .pressed(.theme)) == [])
    #expect(
      scenario.state.dialog == .theme(ThemeChoice(names: ["standard", "nord", "dracula"], line: 1)))
    #expect(scenario.effects(of: .pressed(.down)) == [.showTheme("dracula")])
    #expect(scenario.effects(of: .pressed(.down)) == [.showTheme("dracula")])
    #expect(scenario.effects(of: .pressed(.theme)) == [.showTheme("standard")])
    #expect(scenario.effects(of: .pointed(.line(2))) == [.showTheme("dracula")])
    #expect(scenario.effects(of: .pressed(.accept)) == [.changeConfiguration(.theme("dracula"))])
    #expect(scenario.state.dialog == nil && scenario.state.log.total == logged)
  }

  @Test func `returns to the one before with Esc, and with Enter on it`() {
    for end in [UserCommand.back, .accept] {
      var scenario = scenario()
      scenario.given(.pressed(.theme), .pressed(.up), .pressed(.down))
      #expect(scenario.effects(of: .pressed(end)) == [.showTheme(nil)])
      #expect(scenario.state.dialog == nil)
    }
  }

  @Test func `takes a theme back that could not be kept`() {
    var scenario = scenario()
    let failed = Action.configurationKept(.theme("dracula"), why: "the disk is full")
    #expect(scenario.effects(of: failed) == [.showTheme(nil)])
    #expect(scenario.state.problem?.text == "not saved: the disk is full")
  }
}
