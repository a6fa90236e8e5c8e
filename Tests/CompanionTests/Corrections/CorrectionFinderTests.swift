import HeadphoneProtocols
import Testing

@testable import Companion

struct CorrectionFinderTests {
  /// Names that headphones advertise or people use, and the matching line.
  @Test(arguments: [
    ("WH-1000XM4", "Sony WH-1000XM4"), ("LE_WH-1000XM4", "Sony WH-1000XM4"),
    ("WH-1000XM3", "Sony WH-1000XM3"), ("LE_WH-1000XM5", "Sony WH-1000XM5"),
    ("WF-1000XM4", "Sony WF-1000XM4"), ("WF-1000XM3", "Sony WF-1000XM3"),
    ("WF-1000XM5", "Sony WF-1000XM5"), ("WH-1000XM4 von Max", "Sony WH-1000XM4"),
    ("LE-Bose QC35 II", "Bose QuietComfort 35 II"), ("Bose QC 45", "Bose QuietComfort 45"),
    ("Bose QuietComfort 35", "Bose QuietComfort 35"),
    ("Bose QC Ultra Headphones", "Bose QuietComfort Ultra Headphones"),
    ("Bose QC Earbuds II", "Bose QuietComfort Earbuds II"),
    ("Bose QC Ultra Earbuds", "Bose QuietComfort Ultra Earbuds"),
    ("AirPods Pro", "Apple AirPods Pro"), ("Anna’s AirPods Pro", "Apple AirPods Pro"),
    ("AirPods Pro von Anna", "Apple AirPods Pro"),
    ("Christopher's AirPods Max", "Apple AirPods Max"),
    ("AirPods Pro - Find My", "Apple AirPods Pro"),
    ("AirPods Pro (2nd generation)", "Apple AirPods Pro (2nd generation)"),
    ("AirPods 3", "Apple AirPods (3rd generation)"), ("AirPods Max", "Apple AirPods Max"),
    ("Galaxy Buds2 Pro (3F21)", "Samsung Galaxy Buds2 Pro"),
    ("Galaxy Buds 2 Pro", "Samsung Galaxy Buds2 Pro"),
    ("Galaxy Buds+ (00A1)", "Samsung Galaxy Buds Plus"),
    ("Galaxy Buds Live (A17E)", "Samsung Galaxy Buds Live"),
    ("Galaxy Buds FE", "Samsung Galaxy Buds FE"),
    ("Galaxy Buds2", "Samsung Galaxy Buds2"), ("Pixel Buds Pro", "Google Pixel Buds Pro"),
    ("Pixel Buds A-Series", "Google Pixel Buds A-Series"), ("Nothing Ear (2)", "Nothing ear (2)"),
    ("Nothing ear (1)", "Nothing ear (1)"), ("Ear (stick)", "Nothing ear (stick)"),
    ("HUAWEI FreeBuds Pro 2", "Huawei Freebuds Pro 2"),
    ("HUAWEI FreeBuds 4i", "Huawei Freebuds 4i"),
    ("FreeBuds 5i", "Huawei Freebuds 5i (ANC on)"),
    ("MOMENTUM 4", "Sennheiser Momentum 4 Wireless"),
    ("MOMENTUM True Wireless 3", "Sennheiser Momentum True Wireless 3"),
    ("MOMENTUM TW 4", "Sennheiser Momentum True Wireless 4 (ANC On)"),
    ("Soundcore Life Q30", "Anker Soundcore Life Q30"),
    ("soundcore Space Q45", "Anker Soundcore Space Q45"),
    ("soundcore Liberty Air 2 Pro", "Anker Soundcore Liberty Air 2 Pro"),
    ("Jabra Elite 85t", "Jabra Elite 85t"), ("Jabra Elite 7 Pro", "Jabra Elite 7 Pro"),
    ("JBL TUNE660NC", "JBL Tune 660NC"), ("JBL LIVE PRO 2 TWS", "JBL Live Pro 2 TWS"),
    ("JBL Live660NC", "JBL Live 660NC"), ("Beats Studio Buds +", "Beats Studio Buds +"),
    ("Beats Studio Buds", "Beats Studio Buds"), ("Beats Fit Pro", "Beats Fit Pro"),
    ("Powerbeats Pro", "Beats Powerbeats Pro"), ("EDIFIER W820NB Plus", "Edifier W820NB Plus"),
    ("QCY T13", "QCY T13"), ("Beoplay H95", "Bang & Olufsen Beoplay H95"),
    ("Px7 S2", "Bowers & Wilkins Px7 S2"), ("AKG N700NC M2", "AKG N700NC M2"),
  ]) func `the model of an advertised name is found without doubt`(name: String, line: String) {
    guard case .certain(let model) = bundledCorrections.match([name]) else {
      Issue.record("\(name): \(bundledCorrections.match([name]).names)")
      return
    }
    #expect(model.corrections.contains { $0.name == line }, "\(model.corrections.map(\.name))")
  }

  @Test(arguments: [
    "WH-1000XM6", "Galaxy Buds3 Pro", "Galaxy Buds4", "Pixel Buds Pro 2", "AirPods Pro 7",
    "Aurora Pro",
    "Bose QC99", "", "Headphones", "JBL TUNE 999NC", "MOMENTUM 9", "Nothing Ear (9)",
    "FreeBuds Pro Max",
  ]) func `another model is not taken for one of the table`(name: String) {
    #expect(bundledCorrections.match([name]) == .missing)
  }

  @Test func `a name that two makers have is listed, and the maker decides`() {
    guard case .several(let models) = bundledCorrections.match(["Buds Pro"]) else {
      Issue.record("\(bundledCorrections.match(["Buds Pro"]).names)")
      return
    }
    #expect(models.count > 1)
    guard case .certain(let model) = bundledCorrections.match(["Buds2 Pro"], maker: "Samsung")
    else {
      Issue.record("\(bundledCorrections.match(["Buds2 Pro"], maker: "Samsung").names)")
      return
    }
    #expect(model.first.name == "Samsung Galaxy Buds2 Pro")
  }

  @Test(arguments: [
    "Nothing Ear (a)", "Nothing Ear", "Nothing Ear (open)", "Ear (a)", "NOTHING EAR (A)",
    "nothing ear(a)",
    "Koss Porta Pro Wireless 2", "Sony LinkBuds S Open", "Samsung Level On Bluetooth",
    "HS70 Bluetooth TWS",
    "Focal Spirit One S2", "HyperX Cloud Flight S Wireless", "Pro", "Buds",
  ]) func `a name that the table lacks has no certain model`(name: String) {
    for maker in ["", "Nothing", "Apple Inc.", "Samsung"] {
      let match = bundledCorrections.match([name], maker: maker)
      if case .certain = match { Issue.record("\(name), \(maker): \(match.names)") }
    }
  }

  @Test func `what stands in parentheses is the name's, unless it is a condition`() {
    let stick = ModelName("Nothing ear (stick)")
    #expect(stick.words == ["nothing", "ear", "stick"] && stick.variant.isEmpty)
    for (text, variant, mode) in [
      ("Maker Ear (wired, passive)", "wired", ANCMode.off),
      ("Maker Ear (ANC on)", "", .noiseCancelling),
      ("Maker Ear (sample 2)", "sample 2", nil), ("Maker Ear (on-off-on)", "on off on", nil),
      ("Maker Ear (ANC off, awareness)", "awareness", .off), ("Maker Ear (90dB)", "90db", nil),
      ("Maker Ear (ZMF Ori leather earpads)", "zmf ori leather earpads", nil),
    ] {
      let name = ModelName(text)
      #expect(
        name.words == ["maker", "ear"] && name.variant == variant && name.mode == mode, "\(text)")
    }
    #expect(
      ModelName("Apple AirPods Pro (2nd generation)").key == ModelName("Apple AirPods Pro 2").key)
  }

  @Test func `a name of several editions lists them, and a plain one has its editions behind it`() {
    guard case .several(let models) = bundledCorrections.match(["Nothing Ear"]) else {
      Issue.record("\(bundledCorrections.match(["Nothing Ear"]).names)")
      return
    }
    #expect(
      models.map(\.first.name) == ["Nothing ear (1)", "Nothing ear (2)", "Nothing ear (stick)"])
    guard case .certain(let model) = bundledCorrections.match(["HIFIMAN Ananda"]) else {
      Issue.record("\(bundledCorrections.match(["HIFIMAN Ananda"]).names)")
      return
    }
    #expect(model.corrections.map(\.name) == ["HIFIMAN Ananda", "HIFIMAN Ananda (V1)"])
  }

  @Test(arguments: FinderSample.names)
  func `every name of the table finds itself, in any case, and no other where it is missing`(
    name: String
  ) {
    let sample = FinderSample(around: name)
    for form in [name, name.uppercased(), name.lowercased(), "LE_" + name] {
      guard case .certain(let model) = sample.table.match([form]) else {
        Issue.record("\(form): \(sample.table.match([form]).names)")
        continue
      }
      #expect(model.corrections.contains { $0.name == name }, "\(form)")
    }
    guard case .certain(let other) = sample.rest.match([name]) else { return }
    let (own, its) = (ModelName(name), ModelName(other.first.name))
    let isSame =
      // Another year, another maker of it, or the one without a cable, which alone has Bluetooth.
      own.base == its.base && (own.isOfYear || its.isOfYear) || its.key.hasSuffix(own.key)
      || !ModelName.links(of: its.words).isSubset(of: ModelName.links(of: own.words))
    #expect(isSame, "\(name): \(other.first.name)")
  }

  @Test func `the first name that is certain decides`() {
    guard case .certain(let model) = bundledCorrections.match(["Buds Pro", "WH-1000XM4"]) else {
      Issue.record("nothing is certain")
      return
    }
    #expect(model.first.name == "Sony WH-1000XM4")
  }

  @Test func `modes follow where both were measured`() {
    guard case .certain(let model) = bundledCorrections.match(["WH-1000XM4"]) else {
      Issue.record("nothing is certain")
      return
    }
    #expect(model.hasModes)
    #expect(model.correction(in: nil).name == "Sony WH-1000XM4")
    #expect(model.correction(in: .noiseCancelling).name == "Sony WH-1000XM4 (ANC on)")
    #expect(model.correction(in: .off).name == "Sony WH-1000XM4 (ANC Off)")
    #expect(model.correction(in: .transparency).name == "Sony WH-1000XM4 (ANC on)")
  }

  @Test func `a search finds all words, in any order`() {
    let names = bundledCorrections.search("xm4 sony on)").map(\.name)
    #expect(names.contains("Sony WH-1000XM4 (ANC on)") && names.allSatisfy { $0.contains("XM4") })
    #expect(bundledCorrections.search("  ").isEmpty)
    #expect(bundledCorrections.search("e", atMost: 7).count == 7)
  }

  @Test func `every line of the table is a correction`() {
    #expect(bundledCorrections.count == 5173)
    #expect((0..<bundledCorrections.count).allSatisfy { bundledCorrections[$0] != nil })
    #expect(bundledCorrections.correction(named: "Sony WH-1000XM4")?.curve.filters.count == 10)
  }

  @Test(arguments: [
    "A\tform\tsource\t-6\tXX 100 1 1", "A\tform\tsource\t-6\tPK 100 1",
    "A\tform\tsource\tno\tPK 100 1 1",
    "A\tform\tsource\t-6\tPK 0 1 1", "A\tform\tsource\t-6\tPK 100 nan 1", "A\tform\tsource\t-6\t",
    "\tform\tsource\t-6\tPK 100 1 1", "A\tform\tsource\t-6\tPK 1e9 1 1",
    "A\tform\tsource\t-99\tPK 100 1 1",
    "A\tform\tsource\t-6\tPK 100 1 0", "A",
  ]) func `a malformed line is none`(line: String) {
    let table = CorrectionTable(Array("\(line)\n".utf8))
    #expect(table.count == 1 && table[0] == nil)
  }
}

/// The lines of the table that share a word with a name, with and without those of its model.
private struct FinderSample {
  let table: CorrectionTable
  let rest: CorrectionTable

  private static let lines = (0..<bundledCorrections.count).compactMap { bundledCorrections[$0] }
  private static let models = lines.map { ModelName($0.name) }
  private static let words = Dictionary(
    grouping: models.indices.flatMap { line in
      Set(models[line].words.filter { $0.count > 2 }).map { (word: $0, line: line) }
    }, by: \.word
  ).mapValues { $0.map(\.line) }

  /// The names with an edition, those that mention having no cable, and every twentieth other.
  static let names = lines.indices.filter { line in
    let name = models[line]
    return !name.edition.isEmpty || !ModelName.links(of: name.words).isEmpty || line % 20 == 0
  }.map { lines[$0].name }

  init(around name: String) {
    let model = ModelName(name)
    let near = Set(
      model.words.compactMap { Self.words[$0] }.filter { $0.count < 200 }.flatMap(\.self)
    ).union(Self.models.indices.filter { Self.models[$0].key == model.key })
    table = Self.table(near)
    rest = Self.table(near.filter { Self.models[$0].key != model.key })
  }

  /// Returns a table of some lines with arbitrary filters.
  private static func table(_ lines: Set<Int>) -> CorrectionTable {
    let text = lines.sorted().map { "\(Self.lines[$0].name)\tform\tsource\t-6\tPK 100 1 1\n" }
    return CorrectionTable(Array(text.joined().utf8))
  }
}

extension CorrectionMatch {
  fileprivate var names: [String] {
    switch self {
    case .certain(let model): ["certain"] + model.corrections.map(\.name)
    case .several(let models): ["several"] + models.map(\.first.name)
    case .missing: ["none"]
    }
  }
}
