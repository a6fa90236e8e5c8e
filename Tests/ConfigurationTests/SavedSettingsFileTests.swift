import Companion
import Configuration
import HeadphoneProtocols
import Testing

@Suite struct SavedSettingsFileTests {
  private let text = """
    # By hand.
    headphone = "Aurora Buds"
    model = "Aurora Buds"
    firmware = "1.4.2"
    saved = 2026-11-29 15:05:20

    [settings]
    noise-mode = "transparency"
    ambient-level = 7
    wear-detection = true
    equaliser-bands = [3, 2, -0.5]
    preset-name = ""
    """

  @Test func `a file is read with its lines, in the forms that people write`() {
    let (saved, mistakes) = SavedSettings.read(text.utf8)
    #expect(mistakes == [])
    #expect(saved.headphone == "Aurora Buds" && saved.model == "Aurora Buds")
    #expect(saved.firmware == "1.4.2" && saved.driver == nil)
    #expect(saved.time == "2026-11-29T15:05:20")
    #expect(
      saved.wishes == [
        .init(.noiseMode, "transparency"), .init(.ambientLevel, "7"), .init(.wearDetection, "on"),
        .init(.equaliserBands, "3,2,-0.5"), .init("preset-name", ""),
      ])
    #expect(saved.lines[.noiseMode] == 8 && saved.lines["preset-name"] == 12)
  }

  @Test func `what is written is read again, whatever the texts are`() {
    var saved = SavedSettings(wishes: [
      .init(.noiseMode, "off"), .init(.ambientLevel, "-7"), .init("preset-name", "007"),
      .init("other name", "a \"b\" \\ \u{1}é"), .init("empty", ""),
    ])
    saved.headphone = "Line\nbreak # \""
    saved.time = "2026-11-29T15:05:20"
    let (read, mistakes) = SavedSettings.read(saved.toml(without: ["volume"]).utf8)
    #expect(mistakes == [] && read.wishes == saved.wishes)
    #expect(read.headphone == saved.headphone && read.time == saved.time && read.model == nil)
    #expect(saved.toml(without: ["volume"]).hasSuffix("\n# Not reported: volume"))
    #expect(saved.toml().contains("\nambient-level = -7\npreset-name = \"007\"\n"))
  }

  @Test func `each mistake has its line`() {
    let (_, mistakes) = SavedSettings.read(
      """
      modle = "Aurora"
      saved = "yesterday"
      [settings]
      noise-mode = 2026-11-29
      broken = = 1
      [settings.more]
      volume = 3
      """.utf8)
    #expect(mistakes.map(\.line) == [1, 2, 4, 5, 6])
    #expect(mistakes[0].what.contains("did you mean \"model\"?"))
    #expect(SavedSettings.read("".utf8).mistakes.map(\.line) == [1])
    #expect(SavedSettings.read("settings = 1".utf8).mistakes.map(\.line) == [1])
  }

  @Test func `no bytes end the reader`() {
    for bytes in [[0xFF, 0xFE, 0], Array("[settings]\n\u{0}=".utf8), Array("[[settings]]".utf8)] {
      #expect(!SavedSettings.read(bytes.map { UInt8($0) }).mistakes.isEmpty)
    }
  }
}
