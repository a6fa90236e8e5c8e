import BluetoothCodec
import Companion
import Configuration
import HeadphoneProtocols
import TerminalUI
import Testing

@Suite struct ConfigurationTests {
  private func read(_ text: String) -> Configuration {
    let (configuration, mistakes) = Configuration.read(text.utf8)
    #expect(mistakes == [])
    return configuration
  }

  @Test func `an empty file changes nothing`() {
    #expect(read("") == Configuration())
    #expect(read("[screen]\n[keys]\n[profiles]\n") == Configuration())
  }

  @Test func `a key has its former name, too`() {
    #expect(read("[screen]\nground = \"light\"").screen.background == .light)
    #expect(
      read("[screen]\nground = \"light\"\nbackground = \"dark\"").screen.background == .dark)
    #expect(
      Configuration.read("[screen]\nground = \"red\"".utf8).mistakes.map(\.line) == [2])
  }

  @Test func `each setting is taken`() {
    let configuration = read(
      """
      [screen]
      theme = "high-contrast"
      symbols = "ascii"
      mouse = true
      [battery]
      low = 30
      critical = 15
      [connection]
      auto = "Aurora"
      adapter = "hci1"
      [firmware]
      keys = "~/maker.pub"
      [auto-pause]
      mode = "players"
      [keys]
      next-anc = ["n", "F5"]
      rename = "N"
      """)
    #expect(configuration.screen.theme == .highContrast)
    #expect(configuration.screen.symbols == .ascii)
    #expect(configuration.screen.hasMouse)
    #expect(configuration.preferences.thresholds == BatteryThresholds(low: 30, critical: 15))
    #expect(configuration.connection.rule == .matching("Aurora"))
    #expect(configuration.connection.adapter == "hci1")
    #expect(configuration.firmware.keyFiles == [MakerKeyFile(path: "~/maker.pub", line: 12)])
    #expect(configuration.preferences.autoPause == .players)
    #expect(configuration.keys.command(for: .function(5)) == .nextANC)
    #expect(configuration.keys.command(for: .character("N")) == .rename)
    #expect(configuration.keys.command(for: .character("a")) == nil)
  }

  @Test func `hooks are lines for the shell or lists`() {
    let configuration = read(
      """
      [hooks]
      low-battery = 'notify-send "$EARSHOT_NAME"'
      worn = ["playerctl", "play"]
      """)
    #expect(
      configuration.preferences.hooks == [
        .lowBattery: .shell("notify-send \"$EARSHOT_NAME\""),
        .worn: .program(["playerctl", "play"]),
      ])
    #expect(read(configuration.toml) == configuration)
  }

  @Test func `scenes have settings in the order of the file, an output and a profile`() {
    let configuration = read(
      """
      [scenes.desk]
      noise-mode = "nc"
      ambient-level = 7
      wear-detection = true
      equaliser-bands = [3, 2, -0.5]
      output = "Speakers"
      profile = "music"
      [scenes."on the road"]
      speak-to-chat = false
      when = "headphone"
      """)
    #expect(
      configuration.preferences.scenes == [
        Scene(
          name: "desk",
          wishes: [
            .init(.noiseMode, "nc"), .init(.ambientLevel, "7"), .init(.wearDetection, "on"),
            .init(.equaliserBands, "3,2,-0.5"),
          ], output: "Speakers", profile: "music"),
        Scene(
          name: "on the road", wishes: [.init("speak-to-chat", "off")], when: Scene.headphone),
      ])
    #expect(read(configuration.toml) == configuration)
    #expect(
      read(configuration.preferences.scenes[0].toml).preferences.scenes == [
        configuration.preferences.scenes[0]
      ])
  }

  @Test(arguments: [
    ("call", Scene.Occasion.call), ("CALL", .call), ("program:mpv", .program("mpv")),
    ("Program: Google Chrome", .program("Google Chrome")), ("headphone", .output("headphone")),
    ("F0:F1:F2:F3:F4:F5", .output("F0:F1:F2:F3:F4:F5")), ("Speakers", .output("Speakers")),
    ("Call centre", .output("Call centre")), ("Hall", .output("Hall")),
  ])
  func `a scene applies by itself on an output, in a call or with a program`(
    word: String, occasion: Scene.Occasion
  ) {
    let configuration = read("[scenes.x]\nnoise-mode = \"nc\"\nwhen = \"\(word)\"")
    #expect(configuration.preferences.scenes.map(\.occasion) == [occasion])
    #expect(read(configuration.toml) == configuration)
  }

  @Test(arguments: ["program:", "program: ", "programm:mpv", "prgram:mpv", "program", "calls"])
  func `a misspelt call or program is named with its line, and the scene stays`(word: String) {
    let (configuration, mistakes) = Configuration.read(
      "[scenes.x]\nnoise-mode = \"nc\"\nwhen = \"\(word)\"".utf8)
    #expect(
      mistakes.map(\.description) == [
        #"line 3: "when" takes "call", "program:NAME", "headphone" or the beginning of an output's name, not "\#(word)""#
      ])
    #expect(
      configuration.preferences.scenes == [Scene(name: "x", wishes: [.init(.noiseMode, "nc")])])
  }

  @Test func `a slip in a scene or a hook is explained, and the rest applies`() {
    let (configuration, mistakes) = Configuration.read(
      """
      [hooks]
      worm = "true"
      connected = 1
      [scenes.desk]
      noise-mdoe = "nc"
      ambient-level = 7
      output = { name = "a" }
      [scenes]
      x = 1
      [scenes.loop]
      output = "Speakers"
      when = "headphone"
      """.utf8)
    #expect(
      configuration.preferences.scenes == [
        Scene(name: "desk", wishes: [.init(.ambientLevel, "7")]),
        Scene(name: "loop", when: Scene.headphone),
      ])
    #expect(configuration.preferences.hooks.isEmpty)
    #expect(mistakes.count >= 4)
    #expect(mistakes.contains { "\($0)".contains("did you mean \"noise-mode\"?") })
    #expect(mistakes.contains { "\($0)".contains("did you mean \"worn\"?") })
    #expect(mistakes.contains { "\($0)".contains("a scene with \"when\" follows the sound") })
  }

  @Test(arguments: [("last-used", ConnectionPreferences.Rule.lastUsed), ("never", .never)])
  func `two words say when to connect`(word: String, rule: ConnectionPreferences.Rule) {
    #expect(read("connection.auto = \"\(word)\"").connection.rule == rule)
  }

  @Test func `another kind of headphone needs no code`() throws {
    let configuration = read(
      """
      [profiles.acme]
      name = "Acme buds"
      service = "ACE0"
      command = "ACE1"
      event = "12345678-0000-1000-8000-00805F9B34FB"
      anc-mode = "ACE3"
      features = ["anc", "find"]
      [profiles.acme.battery]
      level = "ACEB"
      [profiles.acme.events]
      anc = 0x13
      battery = { code = 0x12, at = [3, 1, 2] }
      """)
    let profile = try #require(configuration.profiles.first?.profile)
    #expect(profile.name == "Acme buds")
    #expect(profile.advertisedServices == [.bit16(0xACE0)])
    let control = try #require(profile.controlServices.first)
    #expect(control.command == .bit16(0xACE1))
    #expect(control.event == .bit32(0x1234_5678))
    #expect(control.ancMode == .bit16(0xACE3))
    #expect(control.eqPreset == .absent)
    #expect(profile.battery.level == .bit16(0xACEB))
    #expect(profile.battery.service == BatteryUUIDs.standard.service)
    #expect(profile.information == .standard)
    #expect(profile.features == [.anc, .find])
    #expect(
      profile.events.events == [
        .anc: EventLayout.Event(code: 0x13),
        .battery: EventLayout.Event(code: 0x12, places: [3, 1, 2]),
      ])
    #expect(configuration.allProfiles == [.earshot, profile])
  }

  @Test func `each kind of headphone has makers of its own`() {
    let configuration = read(
      """
      firmware.keys = ["maker.pub"]
      [profiles.acme]
      name = "Acme buds"
      service = "ACE0"
      command = "ACE1"
      event = "ACE2"
      firmware-keys = ["acme.pub", "other.pub"]
      """)
    #expect(
      configuration.keyFiles.map { "\($0.profile): \($0.file.path), line \($0.file.line)" } == [
        "Earshot protocol: maker.pub, line 1", "Acme buds: acme.pub, line 7",
        "Acme buds: other.pub, line 7",
      ])
  }

  @Test func `what is shown is the file that makes it so`() {
    let wanted = read(
      """
      screen.theme = "monochrome"
      connection.auto = "My \\"buds\\" \\u0007"
      connection.adapter = "hci3"
      firmware.keys = ["a.pub", "b.pub"]
      keys.quit = ["Q", "^C"]
      [profiles."a b"]
      service = "ACE0"
      command = "ACE1"
      event = "ACE2"
      features = []
      firmware-keys = ["c.pub"]
      events = { anc = 1, battery = { code = 2, at = [1] } }
      """)
    #expect(read(wanted.toml) == relined(wanted))
    #expect(read(Configuration().toml) == Configuration())
  }

  /// Returns the configuration with the line numbers of its written form.
  private func relined(_ configuration: Configuration) -> Configuration {
    var configuration = configuration
    let shown = Configuration.read(configuration.toml.utf8).configuration
    for index in configuration.keyBindings.indices {
      configuration.keyBindings[index].line = shown.keyBindings[index].line
    }
    configuration.firmware.keyFiles = shown.firmware.keyFiles
    for index in configuration.profiles.indices {
      configuration.profiles[index].keyFiles = shown.profiles[index].keyFiles
    }
    return configuration
  }
}
