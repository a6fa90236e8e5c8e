import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

@Suite struct `The key map` {
  @Test(arguments: PageKind.allCases)
  func `gives every command a key, and no key to two on a page`(page: PageKind) {
    var seen: Set<Key> = []
    for command in UserCommand.allCases {
      let keys = KeyMap.standard.keys(for: command)
      #expect(!keys.isEmpty && !command.pages.isEmpty, "\(command)")
      for key in keys where command.pages.contains(page) {
        #expect(seen.insert(key).inserted, "\(key)")
        #expect(KeyMap.standard.command(for: key, on: page) == command)
      }
    }
  }

  private static let pages: [Page] = [
    .main, .help(line: 0), .log(line: 0), .info(line: 0), .doctor(line: 0), .security(line: 0),
    .firmware,
    .inspector(line: 0), .equaliser(EQEditor(headphone: Example.aurora, row: .band(0))),
    .touch(line: 0), .pairedDevices(line: 0), .broadcasts(line: 0),
  ]

  @Test(arguments: pages) func `gives a key only to the page that is shown`(page: Page) {
    let state = Example.state().changed { $0.page = page }
    for command in UserCommand.allCases where !command.pages.contains(PageKind(page)) {
      for key in KeyMap.standard.keys(for: command) {
        #expect(
          !KeyMap.standard.actions(for: key, in: state).contains(.pressed(command)), "\(command)")
      }
    }
  }

  @Test(arguments: [
    (Page.info(line: 0), "/bat"), (.main, "/nim"),
    (.equaliser(EQEditor(headphone: Example.aurora, row: .band(0))), "/khz"),
    (.help(line: 0), "/eq"), (.log(line: 0), "/near"),
    (.doctor(line: 0), "/bat"), (.security(line: 0), "/key"), (.inspector(line: 0), "/bat"),
  ])
  func `searches, and runs no key of what is typed`(page: Page, text: String) {
    var state = Example.state().changed { $0.page = page }
    // The first action, whichever it is, gives the desktop the charges.
    _ = state.reduce(.timerFired(.notice), at: Example.now)
    let before = state
    for scalar in text.unicodeScalars {
      for action in KeyMap.standard.actions(for: .character(scalar), in: state) {
        #expect(state.reduce(action, at: Example.now) == [])
      }
    }
    #expect(state.filter == text.dropFirst())
    guard page != .main else { return #expect(state.headphones.selected?.id.rawValue == "nimbus") }
    #expect(state.headphones == before.headphones && !state.isQuitting)
    for key in [Key.enter, .character("n"), .character("N")] {
      for action in KeyMap.standard.actions(for: key, in: state) {
        _ = state.reduce(action, at: Example.now)
      }
    }
    #expect(state.dialog == nil && PageKind(state.page) == PageKind(page))
  }

  @Test func `drops no link in the editor of the equaliser`() {
    let state = Example.state().changed { $0.page = Self.pages[7] }
    #expect(KeyMap.standard.actions(for: .character("d"), in: state) == [.unknownKey("d")])
  }

  @Test func `moves the cursor in a text entry`() {
    let state = State().changed { $0.dialog = .entry(TextEntry(.search(on: .main))) }
    for (key, typed) in [
      (Key.left, TextKey.left), (.right, .right), (.home, .start), (.end, .end),
      (.delete, .delete), (.control("a"), .start), (.control("e"), .end),
    ] {
      #expect(KeyMap.standard.actions(for: key, in: state) == [.typed(typed)], "\(key)")
    }
  }

  @Test func `shows arrows as arrows where the terminal has them`() {
    #expect(Style().hint(for: .up) == "↑" && Style(symbols: .ascii).hint(for: .up) == "Up")
  }

  @Test(arguments: pages.dropFirst()) func `closes a page with q, and quits with ^C`(page: Page) {
    let state = Example.state().changed { $0.page = page }
    #expect(KeyMap.standard.actions(for: .character("q"), in: state) == [.pressed(.back)])
    #expect(KeyMap.standard.actions(for: .control("c"), in: state) == [.pressed(.quit)])
  }

  @Test func `quits the main page with q`() {
    #expect(
      KeyMap.standard.actions(for: .character("q"), in: Example.state()) == [.pressed(.quit)])
    let asked = Example.state().changed {
      $0.dialog = .question(Question(.forget(Example.aurora)))
    }
    #expect(KeyMap.standard.actions(for: .character("q"), in: asked) == [.pressed(.back)])
    #expect(KeyMap.standard.actions(for: .control("c"), in: asked) == [.pressed(.quit)])
  }

  @Test func `leaves the editor with q, and takes its changes back with u`() {
    var state = Example.state()
    for key in [Key.character("E"), .up, .up, .character("q"), .character("u"), .character("u")] {
      for action in KeyMap.standard.actions(for: key, in: state) {
        _ = state.reduce(action, at: Example.now)
      }
    }
    #expect(state.page == .main && !state.isQuitting)
    #expect(
      state.headphones.selected?.bands.shown == Example.state().headphones.selected?.bands.shown)
  }

  @Test(arguments: [
    (Key.character("a"), UserCommand.nextANC), (.character("A"), .previousANC),
    (.character("1"), .setANC(.off)), (.character("4"), .setANC(.adaptive)),
    (.character("t"), .flipTransparency), (.character("e"), .nextEQ),
    (.character("c"), .connectOrDisconnect), (.character("d"), .dropControlLink),
    (.character("L"), .log), (.character("X"), .forget), (.character("?"), .help),
    (.control("l"), .redraw), (.control("c"), .quit), (.control("z"), .suspend),
    (.character("j"), .down), (.down, .down), (.escape, .back), (.tab, .otherPanel),
  ])
  func `is the one of the document`(key: Key, command: UserCommand) {
    #expect(KeyMap.standard.command(for: key) == command)
  }

  @Test func `gives a command the keys that a person preferences`() throws {
    let map = try KeyMap.standard.applying([
      KeyBinding(command: "next-anc", keys: ["x", "^N"]),
      KeyBinding(command: "rename", keys: ["a"]),
      KeyBinding(command: "mute", keys: []),
    ])
    #expect(map.keys(for: .nextANC) == [.character("x"), .control("n")])
    #expect(map.command(for: .character("a")) == .rename)
    // A wish for the key of a search comes first, where a page lends that key.
    #expect(map.command(for: .character("n"), on: .main) == .nextMatch)
    let other = try KeyMap.standard.applying([KeyBinding(command: "rename", keys: ["n"])])
    #expect(other.command(for: .character("n"), on: .main) == .rename)
    #expect(other.command(for: .character("n"), on: .log) == .nextMatch)
    #expect(map.command(for: .character("m")) == nil)
    #expect(Style(keys: map).hint(for: .toggleMute) == nil)
  }

  @Test(arguments: [
    ([KeyBinding(command: "fly", keys: ["x"], line: 7)], "line 7: there is no command \"fly\""),
    ([KeyBinding(command: "mute", keys: ["Hyper"], line: 3)], "line 3: there is no key \"Hyper\""),
    (
      [
        KeyBinding(command: "next-anc", keys: ["x"], line: 2),
        KeyBinding(command: "mute", keys: ["x"], line: 3),
      ],
      "line 3: x cannot be \"mute\", it is \"next-anc\""
    ),
    (
      [
        KeyBinding(command: "mute", keys: ["x"]), KeyBinding(command: "mute", keys: ["y"], line: 9),
      ],
      "line 9: \"mute\" has its keys already"
    ),
    ([KeyBinding(command: "quit", keys: [], line: 4)], "line 4: no key would be left for \"quit\""),
    (
      [KeyBinding(command: "mute", keys: ["Esc"], line: 5)],
      "line 5: no key would be left for \"back\""
    ),
  ])
  func `refuses a request that cannot be granted, and says where`(
    preferences: [KeyBinding], message: String
  ) {
    let error = #expect(throws: KeyMapError.self) { try KeyMap.standard.applying(preferences) }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
  }

  /// A key of the user's stays theirs whatever default a later version has for it.
  @Test(arguments: UserCommand.allCases)
  func `gives a default way to a binding of its key`(command: UserCommand) throws {
    let needed: Set<UserCommand> = [.quit, .accept, .back]
    for other in UserCommand.allCases where other != command {
      let isOnOnePage = !command.claimedPages.isDisjoint(with: other.claimedPages)
      for key in KeyMap.standard.keys(for: other) {
        let rest = KeyMap.standard.keys(for: other).filter { $0 != key }
        guard !(isOnOnePage && rest.isEmpty && needed.contains(other)) else { continue }
        let quits = command == .quit || command == .accept || command == .back
        let own = quits ? KeyMap.standard.keys(for: command) : []
        let binding = KeyBinding(command: command.name, keys: (own + [key]).map(\.name), line: 7)
        let (map, errors) = KeyMap.standard.applyingWhatFits([binding])
        #expect(errors == [], "\(key)")
        for page in command.claimedPages { #expect(map.command(for: key, on: page) == command) }
        #expect(map.keys(for: other) == (isOnOnePage ? rest : KeyMap.standard.keys(for: other)))
        let said = map.displaced.first { $0.command == other }?.displayText
        let words = "\(key.name) is \"\(command.name)\" here, and no longer \"\(other.name)\""
        #expect(said == (isOnOnePage ? words : nil))
      }
    }
    #expect(KeyMap.standard.displaced == [])
  }

  @Test func `lets text be typed`() {
    var state = State()
    state.dialog = .entry(TextEntry(.search(on: .main)))
    let map = KeyMap.standard
    #expect(map.actions(for: .character("q"), in: state) == [.typed(.character("q"))])
    #expect(map.actions(for: .backspace, in: state) == [.typed(.backspace)])
    #expect(map.actions(for: .control("u"), in: state) == [.typed(.clear)])
    #expect(map.actions(for: .enter, in: state) == [.pressed(.accept)])
    #expect(map.actions(for: .escape, in: state) == [.pressed(.back)])
    #expect(map.actions(for: .control("c"), in: state) == [.pressed(.quit)])
    #expect(
      map.actions(forPaste: "é\r\nx", in: state)
        == [.typed(.character("é")), .typed(.character("x"))])
  }

  @Test func `takes y and n for an answer`() {
    var state = State()
    var question = Question(.quitDuringUpdate)
    state.dialog = .question(question)
    let map = KeyMap.standard
    #expect(
      map.actions(for: .character("y"), in: state) == [.pressed(.right), .pressed(.accept)])
    #expect(map.actions(for: .character("n"), in: state) == [.pressed(.back)])
    #expect(map.actions(for: .enter, in: state) == [.pressed(.accept)])
    question.isYesChosen = true
    state.dialog = .question(question)
    #expect(map.actions(for: .character("y"), in: state) == [.pressed(.accept)])
  }

  @Test func `gives pasted text only to an entry`() {
    #expect(KeyMap.standard.actions(forPaste: "X", in: State()) == [])
    #expect(KeyMap.standard.actions(for: .character("m"), in: State()) == [.pressed(.toggleMute)])
    #expect(KeyMap.standard.actions(for: .function(9), in: State()) == [.unknownKey("F9")])
  }
}
