import Testing

@testable import HeadphoneProtocols

@Suite struct WordMatchingTests {
  private let names = ["off", "noise-cancelling", "transparency", "adaptive", "next", "toggle"]

  @Test(
    arguments: [
      ("off", "off"), ("OFF", "off"), ("o", "off"), ("noise", "noise-cancelling"),
      ("tr", "transparency"), ("Tog", "toggle"), ("n", nil), ("t", nil), ("", nil), ("louder", nil),
    ] as [(String, String?)])
  func `a name is meant by itself, in any case, or by a beginning that no other has`(
    _ word: String, _ name: String?
  ) {
    #expect(names.meant(by: word) == name)
  }

  @Test func `a whole name is meant even where another begins with it`() {
    #expect(["touch", "touch-left"].meant(by: "touch") == "touch")
  }

  @Test(
    arguments: [
      ("statsu", "status"), ("baterry", "battery"), ("STATUS", "status"), ("anx", "anc"),
      ("x", nil), ("statements", nil), ("", nil),
    ] as [(String, String?)])
  func `a misspelt word is near to a name if few of its letters are wrong`(
    _ word: String, _ name: String?
  ) {
    #expect(["status", "battery", "anc", "audio"].nearest(to: word) == name)
  }

  @Test(
    arguments: [
      ("nc", ANCMode.noiseCancelling), ("on", .noiseCancelling), ("amb", .transparency),
      ("auto", .adaptive),
    ])
  func `noise modes are known by other names`(_ alias: String, _ mode: ANCMode) throws {
    #expect(ANCMode.aliases[alias] == mode)
    var able = Capabilities()
    able.ancModes = ANCMode.allCases
    let declaration = try #require(able.declaration(of: .noiseMode))
    #expect(try declaration.value(of: alias.uppercased()) == .choice(mode.name))
  }

  @Test func `an alias of a mode that the headphone lacks is refused`() throws {
    var able = Capabilities()
    able.ancModes = [.off, .noiseCancelling]
    let declaration = try #require(able.declaration(of: .noiseMode))
    #expect(throws: SettingRefusal.self) { try declaration.value(of: "amb") }
  }
}
