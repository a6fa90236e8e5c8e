import Companion
import Foundation
import HeadphoneProtocols
import TerminalUI
import Testing

@testable import Configuration

/// What screens change in the configuration file: one key or table, and not a byte else.
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
  ])
  func `sets the theme`(before: String?, after: String) async throws {
    let (text, why) = try await changed(before, by: .theme("nord"))
    #expect(text == after && why == nil)
  }

  @Test(arguments: [
    "screen = { mouse = true }\n", "screen = { theme = \"dracula\" }\n", "screen = 3\n",
    "screen.mouse = true\n",
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
      read.configuration.sound.ofHeadphones.first?.preferences[.ceiling] == .number(80))
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

  @Test func `adds a scene that it then reads`() async throws {
    let scene = Scene(name: "desk", wishes: [.init(.noiseMode, "nc")], output: "headphone")
    let (text, why) = try await changed("[screen]\nmouse = true\n", by: .addScene(scene))
    let read = Configuration.read(Array((text ?? "").utf8))
    #expect(why == nil && read.configuration.scenes == [scene] && read.mistakes.isEmpty)
  }
}
