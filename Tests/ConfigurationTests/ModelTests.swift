import Foundation
import HeadphoneProtocols
import Testing

@testable import Configuration

@Suite struct ModelTests {
  private func read(_ text: String) -> (model: HeadphoneModel?, mistakes: [String]) {
    let (model, mistakes) = HeadphoneModel.read(text.utf8, id: "acme")
    return (model, mistakes.map { "\($0)" })
  }

  @Test func `the models in the program are those in the folder, and none has a mistake`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources/Configuration/Models")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path())
    let bundled = ModelCatalog.bundledFiles
    #expect(names.sorted() == bundled.map { "\($0.id).toml" }.sorted())
    for file in bundled {
      let (model, mistakes) = HeadphoneModel.read(file.text, id: file.id)
      #expect(model != nil && mistakes == [], "\(file.id)")
      let onDisk = try Data(contentsOf: folder.appending(path: "\(file.id).toml"))
      #expect(Array(onDisk) == file.text)
    }
  }

  @Test func `the file in the guide is right, and every key is explained`() throws {
    let guide = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/add-your-headphone.md")
    let text = try String(contentsOf: guide, encoding: .utf8)
    let example = try #require(
      text.components(separatedBy: "```toml\n").last?.components(separatedBy: "```").first)
    let (model, mistakes) = read(example)
    #expect(model != nil && mistakes == [])
    let keys = [
      "name", "family", "parts", "proof", "noise-control", "left-bud", "product", "numbers",
      "fast-pair", "service", "state-lengths",
    ]
    for key in keys { #expect(text.contains("| `\(key)` |"), "\(key)") }
  }

  @Test func `no two bundled models have the same product`() {
    let products = ModelCatalog.bundled.models.compactMap(\.marks.product)
    #expect(Set(products).count == products.count && products.count == 29)
  }

  @Test func `a model has everything that a file can say`() throws {
    let (read, mistakes) = read(
      """
      name = "Acme Buds"
      family = "soundcore"
      parts = "buds"
      proof = "hardware"
      noise-control = ["off", "transparency"]

      [marks]
      numbers = ["A1"]
      fast-pair = 0xAABBCC
      service = 0x013C
      state-lengths = [30, 31]

      [state]
      battery = 0
      charging = 1
      eq = 2
      sound-modes = 12
      firmware = 16
      serial = 14
      """)
    let model = try #require(read)
    #expect(mistakes == [])
    #expect(model.id == "acme" && model.name == "Acme Buds" && model.family == .soundcore)
    #expect(model.shape == .buds && model.proof == .hardware)
    #expect(model.ancModes == [.off, .transparency])
    #expect(model.marks.fastPair == 0xAABBCC && model.marks.stateLengths == [30, 31])
    #expect(model.soundcoreState?.soundModes == 12 && model.soundcoreState?.serial == 14)
    let nothing = self.read(
      "name = \"B\"\nfamily = \"nothing\"\nleft-bud = 2\n[marks]\nfast-pair = 1")
    #expect(nothing.model?.leftBud == 2 && nothing.mistakes == [])
  }

  @Test func `a broken line is the mistake, not what comes after it`() {
    let reported = read("name = \"A\nfamily = \"nothing\"\n[marks]\nfast-pair = 1").mistakes
    #expect(reported.count == 1 && reported.first?.hasPrefix("line 1: ") == true, "\(reported)")
  }

  @Test(arguments: [
    ("", "line 1: a model needs name, family, [marks] as well"),
    (
      "name = \"A\"\nfamily = \"sony\"\n[marks]\nproduct = 1",
      """
      line 2: "family" takes one of "airpods", "nothing", "soundcore", "standard", not "sony"
      """
    ),
    (
      "name = \"A\"\nfamily = \"airpods\"\nleft-bud = 2\n[marks]\nproduct = 1",
      "line 3: \"left-bud\" is for the family \"nothing\""
    ),
    (
      "name = \"A\"\nfamily = \"nothing\"\n[marks]\nservice = 0x0101",
      "line 4: \"service\" is for the family \"soundcore\""
    ),
    (
      "name = \"A\"\nfamily = \"soundcore\"\n[marks]\nstate-lengths = [60, 50]\n[state]\neq = 41",
      "line 6: \"eq\" takes a whole number from 0 to 40, not 41"
    ),
    (
      "name = \"A\"\nfamily = \"nothing\"\n[marks]\nproduct = 70000",
      "line 4: \"product\" takes a whole number from 0 to 65535, not 70000"
    ),
    (
      "name = \"A\"\nfamily = \"nothing\"\n[marks]\nprodukt = 1\nnumbers = [\"B\"]",
      "line 4: there is no \"produkt\" in [marks]; did you mean \"product\"?"
    ),
    (
      "name = \"A\"\nfamily = \"nothing\"\n[marks]\nproduct = 1\n[state]\nbattery = 0",
      "line 5: [state] is for the family \"soundcore\""
    ),
    (
      "name = \"A\"\nfamily = \"soundcore\"\n[marks]\nstate-lengths = [0]",
      "line 4: \"state-lengths\" takes a list of lengths such as [60, 67], not [0]"
    ),
    (
      "name = \"A\"\nfamily = \"nothing\"\nnoise-control = [\"loud\"]\n[marks]\nproduct = 1",
      """
      line 3: "noise-control" takes a list of "off", "noise-cancelling", "transparency", \
      "adaptive", not ["loud"]
      """
    ),
  ])
  func `a mistake is reported by its line, with what is allowed there`(
    _ text: String, _ reported: String
  ) {
    #expect(read(text).mistakes.contains(reported), "\(read(text).mistakes)")
  }

  @Test func `a person's own model goes before a bundled one`() throws {
    let own = try #require(
      read("name = \"Mine\"\nfamily = \"airpods\"\n[marks]\nproduct = 0x2014").model)
    #expect(ModelCatalog.bundled.under([own]).appleName(0x2014) == "Mine")
    var sameFile = own
    sameFile.id = "airpods-pro-2"
    sameFile.marks.product = 0x20FF
    let catalog = ModelCatalog.bundled.under([sameFile])
    #expect(catalog.appleName(0x20FF) == "Mine")
    #expect(catalog.appleName(0x2014) == "Apple or Beats 0x2014")
  }

  @Test func `a model is found by each of its marks`() {
    var model = HeadphoneModel(id: "a", name: "A", family: .nothing)
    model.marks.numbers = ["B1"]
    model.marks.fastPair = 0xABCDEF
    model.marks.service = 0x0102
    let catalog = ModelCatalog([model])
    #expect(catalog.model(of: .nothing, number: "B1") == model)
    #expect(catalog.model(of: .nothing, fastPair: 0xABCDEF) == model)
    #expect(catalog.model(of: .nothing, service: 0x0102) == model)
    #expect(
      catalog.model(of: .nothing) == nil && catalog.model(of: .soundcore, number: "B1") == nil)
  }
}
