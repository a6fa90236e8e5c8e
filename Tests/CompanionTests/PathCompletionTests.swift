import Companion
import Testing

@Suite struct `Completing a path` {
  private func entries(_ names: String...) -> [PathCompletion.Entry] {
    names.map { name in
      let isFolder = name.hasSuffix("/")
      return PathCompletion.Entry(
        name: isFolder ? String(name.dropLast()) : name, isFolder: isFolder)
    }
  }

  @Test(
    arguments: [
      ("", "", "image-"), ("/tmp/im", "/tmp/", "/tmp/image-"), ("x/image-1", "x/", "x/image-1.fw"),
      ("~/.c", "~/", "~/.config/"), ("~", "~/", "~/image-"), ("/tmp/nothing", "/tmp/", nil),
    ] as [(String, String, String?)])
  func `goes as far as all that begins so agrees`(typed: String, folder: String, text: String?) {
    let entries = entries(".", "..", ".config/", "image-1.fw", "image-2.fw", "image-\u{1B}[2J")
    #expect(PathCompletion.folder(of: typed) == folder)
    #expect(PathCompletion(of: typed, among: entries)?.text == text)
  }

  @Test func `names the candidates where there are several`() {
    let completion = PathCompletion(of: "Do", among: entries("Documents/", "Downloads/", "Music/"))
    #expect(completion?.text == "Do" && completion?.names == ["Documents/", "Downloads/"])
    let one = PathCompletion(of: "Dow", among: entries("Documents/", "Downloads/"))
    #expect(one?.text == "Downloads/" && one?.names == [])
  }

  @Test func `changes the entry that it was asked for`() {
    var scenario = asking(TextEntry(.importEQ(ear), text: "a"))
    #expect(scenario.effects(of: .pressed(.otherPanel)) == [.completePath("a")])
    let completion = PathCompletion(of: "a", among: entries("ab1", "ab2"))
    scenario.given(.pathCompleted("a", completion))
    #expect(entry(scenario)?.text == "ab" && entry(scenario)?.names == ["ab1", "ab2"])
    #expect(entry(scenario)?.cursor == 2)
    scenario.given(.pathCompleted("a", nil))
    #expect(entry(scenario)?.complaint == nil)
    scenario.given(.pathCompleted("ab", nil))
    #expect(entry(scenario)?.complaint != nil && entry(scenario)?.text == "ab")
    scenario.given(.typed(.character("c")))
    #expect(entry(scenario)?.names == [] && entry(scenario)?.complaint == nil)
    scenario = asking(TextEntry(.rename(ear), text: "a"))
    #expect(scenario.effects(of: .pressed(.otherPanel)) == [])
  }

  private func asking(_ entry: TextEntry) -> Scenario {
    var state = Scenario.withReady().state
    state.dialog = .entry(entry)
    return Scenario(state)
  }

  private func entry(_ scenario: Scenario) -> TextEntry? {
    if case .entry(let entry) = scenario.state.dialog { entry } else { nil }
  }
}
