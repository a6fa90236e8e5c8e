import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct CommandSearchTests {
  private func search(_ text: String, in scenario: Scenario) -> Scenario {
    var scenario = scenario
    scenario.given(.pressed(.commands))
    for character in text { scenario.given(.typed(.character(character))) }
    return scenario
  }

  private func texts(_ text: String, in scenario: Scenario = .withReady()) -> [String] {
    scenario.state.foundCommands(text).map(\.text)
  }

  /// A switch, a choice and a level of a maker, without keys.
  private var makers: Scenario {
    var capabilities = allFeatures
    capabilities.settings += [
      SettingDeclaration(
        "speak-to-chat", .toggle, title: "Speak to chat", label: "Chat", group: .sound),
      SettingDeclaration(
        "key-sound",
        .choice([SettingChoice("off", title: "Off"), SettingChoice("soft", title: "Soft")]),
        title: "Key sound", label: "Sound", group: .controls),
      SettingDeclaration(
        "sidetone", .level(SettingRange(0...4)), title: "Sidetone", label: "Sidetone",
        group: .sound),
    ]
    return .withReady(capabilities)
  }

  @Test func `every command is found by its name and by its words`() {
    let state = Scenario.withReady().state
    let all = state.foundCommands("")
    for command in UserCommand.allCases where command.movement == nil {
      guard let line = all.first(where: { $0.target == .command(command) }) else { continue }
      for words in [command.name.replacing("-", with: " "), line.text] {
        #expect(
          state.foundCommands(words).contains { $0.target == .command(command) },
          "\(command): \(words)")
      }
    }
    let missing = UserCommand.allCases.filter { command in
      !all.contains { $0.target == .command(command) }
    }
    #expect(
      missing.map(\.name).sorted()
        == [
          "accept", "back", "bottom", "commands", "down", "left", "other-panel", "page-down",
          "page-up", "previous-panel", "right", "top", "up",
        ])
    #expect(Set(all.map(\.target)).count == all.count)
  }

  @Test func `beginnings of words are first, and all words count`() {
    #expect(texts("scan").first == "scan for headphones, or stop")
    #expect(texts("noise off") == ["noise control: off"])
    #expect(texts("NOISE  TRANS") == ["noise control: transparency"])
    #expect(texts("no such words at all") == [])
  }

  @Test func `Enter runs the line and closes the search`() {
    var scenario = search("noise adapt", in: .withReady())
    scenario.given(.pressed(.accept))
    #expect(scenario.state.dialog == nil)
    #expect(scenario.state.headphones[ear]?.anc.pending == .adaptive)
    // Typing begins at the first line again.
    scenario = search("noise", in: .withReady())
    scenario.given(.pressed(.down), .pressed(.down))
    #expect(line(of: scenario) == 2)
    scenario.given(.typed(.character(" ")))
    #expect(line(of: scenario) == 0)
    scenario.given(.pressed(.back))
    #expect(scenario.state.dialog == nil)
  }

  private func line(of scenario: Scenario) -> Int? {
    guard case .commands(let search) = scenario.state.dialog else { return nil }
    return search.line
  }

  @Test func `a maker's settings are commands, with their values`() {
    let scenario = makers
    #expect(texts("key sound", in: scenario) == ["Key sound: Off", "Key sound: Soft"])
    var chosen = search("key soft", in: scenario)
    chosen.given(.pressed(.accept))
    #expect(chosen.state.headphones[ear]?.settings["key-sound"].pending == .choice("soft"))
    let line = chosen.state.foundCommands("key soft").first
    #expect(line?.value == "current")

    var turned = search("speak", in: scenario)
    turned.given(.pressed(.accept))
    #expect(turned.state.headphones[ear]?.settings["speak-to-chat"].pending == .toggle(true))

    // A level has many values: its row is where they are chosen.
    var level = search("sidetone", in: scenario)
    level.given(.pressed(.accept))
    #expect(level.state.focus == .control && level.state.controlRow == .setting("sidetone"))
  }

  @Test func `what cannot be done says why`() {
    var scenario = search("noise off", in: .withHeadphone())
    guard case .refused(let why, _)? = scenario.state.foundCommands("noise off").first?.availability
    else {
      Issue.record("it is available")
      return
    }
    scenario.given(.pressed(.accept))
    #expect(scenario.state.notice?.text == why && scenario.state.dialog == nil)
  }

  @Test func `a command of the main page leads there, and help is closed`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.log))
    scenario = search("forget", in: scenario)
    scenario.given(.pressed(.accept))
    #expect(scenario.state.page == .main)
    #expect(scenario.state.dialog == .question(Question(.forget(ear))))

    var help = Scenario.withReady()
    help.given(.pressed(.help), .pressed(.commands))
    #expect(help.state.page == .main && line(of: help) == 0)
  }

  @Test func `an empty list and a click beside it do nothing`() {
    var scenario = search("qqqq", in: .withReady())
    let before = scenario.state
    scenario.given(.pressed(.down), .pressed(.accept), .pointed(.line(3)), .pointed(.line(-1)))
    #expect(scenario.state.dialog == before.dialog)
  }
}
