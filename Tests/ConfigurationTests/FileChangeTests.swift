import Companion
import Dispatch
import Foundation
import HeadphoneProtocols
import TerminalUI
import Testing

@testable import Configuration

/// Changes of the configuration file by screens: one key or table, and no other byte.
@Suite struct `A change of the configuration file` {
  private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  private func changed(
    _ before: String?, by changes: ConfigurationChange...
  ) async throws -> (String?, why: String?) {
    let name = folder.appending(path: "earshot/config.toml")
    try FileManager.default.createDirectory(
      at: name.deletingLastPathComponent(), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    if let before { try Data(before.utf8).write(to: name) }
    let file = ConfigurationFile { $0 == "XDG_CONFIG_HOME" ? folder.path : nil }
    var why: String?
    for change in changes { why = await file.apply(change) }
    return (try? String(contentsOf: name, encoding: .utf8), why)
  }

  @Test(arguments: [
    (nil, "[screen]\ntheme = \"nord\"\n"),
    ("", "[screen]\ntheme = \"nord\"\n"),
    (
      "# mine\n[battery]\nlow = 30\n", "# mine\n[battery]\nlow = 30\n\n[screen]\ntheme = \"nord\"\n"
    ),
    ("[battery]\nlow = 30", "[battery]\nlow = 30\n\n[screen]\ntheme = \"nord\"\n"),
    ("[screen]\nmouse = false\n", "[screen]\ntheme = \"nord\"\nmouse = false\n"),
    (
      "[screen] # look\ntheme = 'dracula'  # dark = best\nmouse = true\n",
      "[screen] # look\ntheme = \"nord\"  # dark = best\nmouse = true\n"
    ),
    ("screen.theme = \"dracula\"\n", "screen.theme = \"nord\"\n"),
    ("screen.mouse = true\n", "screen.mouse = true\nscreen.theme = \"nord\"\n"),
    ("[screen]\r\n", "[screen]\r\ntheme = \"nord\"\r\n"),
    ("\t[screen]\n\tmouse = true\n", "\t[screen]\ntheme = \"nord\"\n\tmouse = true\n"),
  ])
  func `sets the theme`(before: String?, after: String) async throws {
    let (text, why) = try await changed(before, by: .theme("nord"))
    #expect(text == after && why == nil)
  }

  @Test(arguments: [
    "screen = { mouse = true }\n", "screen = { theme = \"dracula\" }\n", "screen = 3\n",
  ])
  func `leaves a form alone that it cannot change`(text: String) async throws {
    let (after, why) = try await changed(text, by: .theme("nord"))
    let isSet =
      Configuration.read(Array((after ?? "").utf8)).configuration.screen.theme.rawValue == "nord"
    #expect(isSet ? why == nil : after == text && why?.contains("only an editor") == true)
  }

  private func set(
    _ name: String, to value: String, in before: String
  ) throws -> (text: String, ConfigurationFile.KeyChange) {
    let path = folder.appending(path: "earshot/config.toml")
    try FileManager.default.createDirectory(
      at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(before.utf8).write(to: path)
    let file = ConfigurationFile { $0 == "XDG_CONFIG_HOME" ? folder.path : nil }
    let key = try #require(Configuration().explainedKeys.first { $0.name == name })
    let change = try file.set(key, to: value)
    return (try String(contentsOf: path, encoding: .utf8), change)
  }

  @Test(arguments: [
    ("battery.low", "30", "[battery]\nlow = 20 # %\n", "[battery]\nlow = 30 # %\n"),
    ("screen.mouse", "false", "[screen]\nmouse = true\n", "[screen]\nmouse = false\n"),
    ("screen.mouse", "false", "", "[screen]\nmouse = false\n"),
    ("connection.auto", "30", "", "[connection]\nauto = \"30\"\n"),
    ("connection.auto", "Ear \"2\"", "", "[connection]\nauto = \"Ear \\\"2\\\"\"\n"),
    ("hooks.connected", "true", "", "[hooks]\nconnected = \"true\"\n"),
  ])
  func `sets a key to a value as its declaration has it`(
    name: String, value: String, before: String, after: String
  ) throws {
    let (text, change) = try set(name, to: value, in: before)
    #expect(text == after && change == .done)
  }

  @Test(arguments: [
    ("battery.low", "101"), ("battery.low", "much"), ("battery.critical", "90"),
    ("screen.mouse", "perhaps"), ("screen.theme", "mine"), ("connection.adapter", "usb0"),
    ("screen.mouse", "true\ntheme = \"nord\""),
  ])
  func `leaves the file as it is for a value that a key does not take`(
    name: String, value: String
  ) throws {
    let before = "[battery]\nlow = 20\n"
    let (text, change) = try set(name, to: value, in: before)
    guard case .wrong(let why) = change else { return #expect(Bool(false), "\(change)") }
    #expect(text == before && !why.isEmpty)
  }

  @Test func `chooses a theme that the file defines`() throws {
    let theme =
      (["[themes.mine]"] + ThemeColors.Key.allCases.map { "\($0.rawValue) = \"#1e1e2e\"" })
      .joined(separator: "\n")
    let (text, change) = try set("screen.theme", to: "mine", in: theme + "\n")
    #expect(text == theme + "\n\n[screen]\ntheme = \"mine\"\n" && change == .done)
  }

  @Test func `leaves a list to an editor`() throws {
    let before = "[firmware]\nkeys = [\"a.pub\"]\n"
    let (text, change) = try set("firmware.keys", to: "[\"b.pub\"]", in: before)
    #expect(text == before && change != .done)
  }

  private static let ear = "F0:F1:F2:F3:F4:F5"

  @Test(arguments: [
    (nil, "[headphones.\"\(ear)\"]  # Ear\nvolume-ceiling = 80\n"),
    (
      "[sound]\nbuttons = \"on\"\n",
      "[sound]\nbuttons = \"on\"\n\n[headphones.\"\(ear)\"]  # Ear\nvolume-ceiling = 80\n"
    ),
    (
      "[headphones.\"\(ear)\"]\nvolume-ceiling = 55 # mine\nfirst-volume=20\n",
      "[headphones.\"\(ear)\"]\nvolume-ceiling = 80 # mine\nfirst-volume=20\n"
    ),
    (
      "[headphones.\"\(ear)\"]\nfirst-volume = 20\n[headphones.other]\nvolume-ceiling = 30\n",
      "[headphones.\"\(ear)\"]\nvolume-ceiling = 80\nfirst-volume = 20\n[headphones.other]\nvolume-ceiling = 30\n"
    ),
  ])
  func `sets a headphone's key`(before: String?, after: String) async throws {
    let (text, why) = try await changed(
      before,
      by: .sound(
        SoundSettingChange(.ceiling, .number(80), selector: Self.ear, remark: "Ear")))
    #expect(text == after && why == nil)
    let read = Configuration.read(Array(after.utf8))
    #expect(read.mistakes.isEmpty)
    #expect(
      read.configuration.preferences.sound.ofHeadphones.first?.preferences[.ceiling] == .number(80))
  }

  @Test func `sets and removes a key of all headphones`() async throws {
    let (text, why) = try await changed(
      "[sound]\nbuttons = \"on\"\n", by: .sound(SoundSettingChange(.ceiling, .number(80))),
      .sound(SoundSettingChange(.buttons, nil)), .sound(SoundSettingChange(.buttons, nil)))
    #expect(text == "[sound]\nvolume-ceiling = 80\n" && why == nil)
  }

  @Test func `leaves a headphone's table in a line alone`() async throws {
    let before = "headphones = { \"\(Self.ear)\" = { first-volume = 20 } }\n"
    let (text, why) = try await changed(
      before, by: .sound(SoundSettingChange(.ceiling, .number(80), selector: Self.ear)))
    #expect(text == before && why?.contains("only an editor") == true)
  }

  @Test func `renames and deletes a scene with its lines`() async throws {
    let text = """
      [scenes.desk]
      noise-mode = "nc" # quiet

      # outside
      [scenes.street]
      noise-mode = "transparency"

      """
    let (renamed, _) = try await changed(text, by: .renameScene("desk", to: "work"))
    #expect(renamed == text.replacing("scenes.desk", with: "scenes.work"))
    let (rest, _) = try await changed(text, by: .deleteScene("desk"))
    #expect(rest == "# outside\n[scenes.street]\nnoise-mode = \"transparency\"\n")
    let (same, why) = try await changed(text, by: .renameScene("desk", to: "street"))
    #expect(same == text && why != nil)
    let (inline, reason) = try await changed(
      "scenes = { desk = { noise-mode = \"nc\" } }\n", by: .deleteScene("desk"))
    #expect(inline?.contains("desk") == true && reason != nil)
  }

  @Test func `deletes a scene and not those whose headers are indented`() async throws {
    let text = "[scenes.a]\nanc = 1\n\t[scenes.b]\n\tanc = 1\n\t[scenes.c]\n[battery]\nlow = 30\n"
    let (rest, why) = try await changed(text, by: .deleteScene("a"))
    #expect(rest == String(text.dropFirst("[scenes.a]\nanc = 1\n".count)) && why == nil)
    let (same, _) = try await changed(text, by: .renameScene("a", to: "b"))
    #expect(same == text)
  }

  @Test func `adds no scene to a file that has them in braces`() async throws {
    let text = "scenes = { quiet = { noise-mode = \"nc\" } }\n"
    let (rest, why) = try await changed(
      text, by: .addScene(Scene(name: "desk", output: "headphone")))
    #expect(rest == text && why?.contains("only an editor") == true)
  }

  @Test func `sets a value with quotes again`() throws {
    let (text, _) = try set("hooks.connected", to: #"x "y" z"#, in: "")
    let (again, change) = try set("hooks.connected", to: "w", in: text)
    #expect(again == "[hooks]\nconnected = \"w\"\n" && change == .done)
  }

  @Test func `a link to no file yet stays a link`() async throws {
    let path = folder.appending(path: "earshot/config.toml").path
    let there = folder.appending(path: "dots/earshot.toml").path
    try FileManager.default.createDirectory(
      atPath: folder.appending(path: "earshot").path, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: there)
    let file = ConfigurationFile { $0 == "XDG_CONFIG_HOME" ? folder.path : nil }
    #expect(await file.apply(.theme("nord")) == nil)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == there)
    #expect(file.read().configuration.screen.theme.rawValue == "nord")
  }

  /// Threads stand for processes, as each open folder has its own lock.
  @Test func `two writers lose nothing of each other`() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = ConfigurationFile { $0 == "XDG_CONFIG_HOME" ? folder.path : nil }
    for round in 1...20 {
      let values = ["battery.low": "\(round + 20)", "battery.critical": "\(round)"]
      let keys = Configuration().explainedKeys.filter { values[$0.name] != nil }
      try #require(keys.count == 2)
      // Threads, as tasks of one thread take turns.
      DispatchQueue.concurrentPerform(iterations: keys.count) { place in
        _ = try? file.set(keys[place], to: values[keys[place].name] ?? "")
      }
      let battery = file.read().configuration.explainedKeys
      for (name, value) in values {
        #expect(battery.first { $0.name == name }?.value == value, "\(name) in round \(round)")
      }
    }
  }

  @Test func `adds a scene that it then reads`() async throws {
    let scene = Scene(name: "desk", wishes: [.init(.noiseMode, "nc")], output: "headphone")
    let (text, why) = try await changed("[screen]\nmouse = true\n", by: .addScene(scene))
    let read = Configuration.read(Array((text ?? "").utf8))
    #expect(why == nil && read.configuration.preferences.scenes == [scene] && read.mistakes.isEmpty)
  }
}
