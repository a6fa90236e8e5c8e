import Companion
import Configuration
import TerminalUI
import Testing

@Suite struct MistakeTests {
  /// A file with a mistake in most of its lines, and the messages about it.
  @Test func `a bad file is explained line by line, and the rest applies`() {
    let (configuration, mistakes) = Configuration.read(
      """
      colour = "red"
      [screen]
      theme = "solarised"
      mouse = "yes"
      symbol = "ascii"
      symbols = "ascii"
      [battery]
      low = 120
      critical = 5
      [connection]
      adapter = "bluetooth0"
      auto = 3
      [keys]
      next-anc = "Hyper-X"
      fly = "f"
      scan = "q"
      rename = 7
      help = "H"
      [profiles.acme]
      service = "ACE"
      command = "ACE1"
      [profiles.bolt]
      service = "B010"
      command = "B011"
      event = "B012"
      features = ["anc", "warp"]
      events = { anc = 165, eq = 5, error = 5 }
      profiles = 1
      broken = = 1
      """.utf8)
    #expect(
      mistakes.map(\.description) == [
        #"line 1: there is no "colour" in the file; there is auto-pause, battery, connection, corrections, desktop, firmware, headphones, hooks, keys, notifications, profiles, scenes, screen, sound, themes"#,
        #"line 3: "theme" takes one of \#(Theme.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")), not "solarised""#,
        #"line 4: "mouse" takes true or false, not "yes""#,
        #"line 5: there is no "symbol" in [screen]; did you mean "symbols"?"#,
        #"line 8: "low" takes a whole number from 0 to 100, not 120"#,
        #"line 11: "adapter" takes an adapter such as "hci0", or "virtual", not "bluetooth0""#,
        #"line 12: "auto" takes a text in quotes, not 3"#,
        #"line 14: there is no key "Hyper-X"; keys are written a, A, ^L, F1, PgUp, Space, Esc"#,
        #"line 15: there is no command "fly"; `earshot keys` lists them all"#,
        #"line 17: "rename" takes keys such as "a" or ["a", "^L"]"#,
        #"line 19: [profiles.acme] needs "event" as well"#,
        #"line 20: "service" takes a UUID: "FFF0", or "12345678-1234-5678-1234-56789ABCDEF0", not "ACE""#,
        #"line 26: "features" takes a list of "anc", "anc-level", "eq", "custom-eq", "wear-detection", "find", "touch-actions", "case", "firmware-update", "rename", "factory-reset", not ["anc", "warp"]"#,
        #"line 27: "anc" takes a number from 0 to 255 other than 0xA5, or { code = 2, at = [1, 2, 3] }, not 165"#,
        #"line 27: "error" has the number of "eq""#,
        #"line 28: there is no "profiles" in [profiles.bolt]; there is anc-mode, battery, command, eq-bands, eq-preset, event, events, features, firmware-data, firmware-keys, information, name, service"#,
        "line 29: a value is expected here: = 1",
      ])
    #expect(configuration.screen.symbols == .ascii)
    #expect(configuration.screen.theme == .standard)
    #expect(configuration.preferences.thresholds == BatteryThresholds(low: 20, critical: 5))
    #expect(configuration.keys.command(for: .character("H")) == .help)
    #expect(configuration.keys.command(for: .character("a")) == .nextANC)
    #expect(configuration.keys.command(for: .character("q")) == .scan)
    #expect(configuration.profiles.map(\.name) == ["bolt"])
  }

  @Test(arguments: [
    ("battery = 3", #"line 1: "battery" is a table: write [battery] above its lines"#),
    (
      """
      [profiles.acme]
      name = "Earshot protocol"
      service = "ACE0"
      command = "ACE1"
      event = "ACE2"
      """, #"line 1: "Earshot protocol" is another profile's name already"#
    ),
    (
      """
      [profiles.acme]
      service = "FFF0"
      command = "ACE1"
      event = "ACE2"
      """,
      #"line 1: [profiles.acme] is never chosen: its service is that of "Earshot protocol""#
    ),
    ("[profiles]\nacme = 1", "line 2: a profile is a table: write [profiles.acme]"),
    ("[battery]\nlow = 5", #"line 2: "critical" (10) cannot be above "low" (5)"#),
    (
      "[auto-pause]\nmode = true",
      #"line 2: "mode" takes one of "off", "players", "cork", not true"#
    ),
    ("[keys]\nquit = []", #"line 2: no key would be left for "quit"; give it one"#),
    (
      "[keys]\nnext-anc = \"x\"\nmute = \"x\"",
      #"line 3: x cannot be "mute", it is "next-anc"; give that another key"#
    ),
    (
      "screen = { themes = 1 }", #"line 1: there is no "themes" in [screen]; did you mean "theme"?"#
    ),
  ])
  func `each mistake says what is allowed`(text: String, displayText: String) {
    #expect(Configuration.read(text.utf8).mistakes.map(\.description) == [displayText])
  }

  @Test func `two commands may exchange their keys`() {
    let (configuration, mistakes) = Configuration.read(
      "[keys]\nscan = \"w\"\nwear-detection = \"s\"".utf8)
    #expect(mistakes == [])
    #expect(configuration.keys.command(for: .character("s")) == .toggleWearDetection)
  }
}
