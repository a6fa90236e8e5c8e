import HeadphoneProtocols
import Testing

@Suite struct SettingDeclarationTests {
  private static func declaration(_ kind: SettingDeclaration.Kind) -> SettingDeclaration {
    SettingDeclaration("example", kind, title: "Example", label: "Ex", group: .device)
  }

  private static let choice = declaration(
    .choice([
      SettingChoice("5-min", title: "5 minutes"), SettingChoice("1-h", title: "1 hour"),
      SettingChoice("never", title: "Never"),
    ]))
  private static let level = declaration(.level(SettingRange(-10...10, step: 5)))
  private static let strict = declaration(
    .level(SettingRange(0...100, step: 20, isStrict: true, unit: "%")))
  private static let bands = declaration(
    .bands(
      [.named("Clear Bass"), .hertz(400), .hertz(2_500)],
      SettingRange(-100...100, step: 10, isStrict: true)))
  private static let text = declaration(.text(1...8))

  @Test(arguments: [
    (declaration(.toggle), "on", SettingValue.toggle(true)), (choice, "1-h", .choice("1-h")),
    (level, "-7", .level(-7)), (strict, "40", .level(40)),
    (bands, "-1,0,10", .bands([-10, 0, 100])),
    (text, "Zoë", .text("Zoë")), (declaration(.action), "do", .done),
  ])
  func `a word is a value, and the value that word`(
    _ declaration: SettingDeclaration, _ word: String, _ value: SettingValue
  ) throws {
    #expect(try declaration.value(of: word) == value)
    #expect(value == .done || value.text == word)
  }

  @Test(arguments: [
    (declaration(.toggle), "1", "example takes on or off"),
    (choice, "2-h", "example takes 5-min, 1-h or never"),
    (level, "11", "example takes -10 to 10"),
    (strict, "50", "example takes 0 to 100 in steps of 20"),
    (bands, "0.5,0,0", "example takes 3 gains of -10 to 10 dB in steps of 1, separated by commas"),
    (bands, "1,2", "example takes 3 gains of -10 to 10 dB in steps of 1, separated by commas"),
    (
      bands, "nan,0,1e300",
      "example takes 3 gains of -10 to 10 dB in steps of 1, separated by commas"
    ),
    (text, "\u{1B}[2J", "example takes 1 to 8 bytes of text"),
    (text, "too long for it", "example takes 1 to 8 bytes of text"),
  ])
  func `another word is refused with those that are taken`(
    _ declaration: SettingDeclaration, _ word: String, _ refusal: String
  ) {
    let error = #expect(throws: SettingRefusal.self) { try declaration.value(of: word) }
    #expect(error?.description == refusal)
  }

  @Test(
    arguments: [
      (declaration(.toggle), nil, 1, SettingValue.toggle(true)),
      (declaration(.toggle), SettingValue.toggle(true), -1, .toggle(false)),
      (choice, .choice("never"), 1, .choice("5-min")),
      (choice, .choice("5-min"), -1, .choice("never")),
      (choice, .choice("gone"), 1, .choice("5-min")), (level, .level(8), 1, .level(10)),
      (level, .level(10), 1, nil), (level, .level(.max), 1, nil),
      (bands, .bands([0, 0, 0]), 1, nil),
    ] as [(SettingDeclaration, SettingValue?, Int, SettingValue?)])
  func `a key changes a value by a step`(
    _ declaration: SettingDeclaration, _ value: SettingValue?, _ step: Int, _ next: SettingValue?
  ) {
    #expect(declaration.step(value, by: step) == next)
  }

  @Test func `everything that a headphone has is declared under the standard names`() {
    var able = Capabilities()
    able.ancModes = [.off, .noiseCancelling]
    able.hasANCLevel = true
    able.eqPresets = EQPreset.allCases
    able.eqBands = 2
    able.eqCentres = [100, 5_000]
    able.hasVolume = true
    able.settings = [.wearDetection]
    #expect(
      able.declarations.map(\.id) == [
        .noiseMode, .ambientLevel, .equaliserPreset, .equaliserBands, .volume, .wearDetection,
      ])
    #expect(able.declaration(of: .noiseMode)?.words == ["off", "noise-cancelling"])
    #expect(able.declaration(of: .equaliserBands)?.accepts(.bands([120, -5])) == true)
    able.hasTouchActions = true
    #expect(able.declarations.count == 14)
    #expect(Set(SettingID.known).count == SettingID.known.count)
  }
}
