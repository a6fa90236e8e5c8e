import Configuration
import TestSupport
import Testing

@testable import HeadphoneProtocols

/// The stated evidence must be that of the recordings; `UPDATE_SCREENS=1` rewrites it.
@Suite struct EvidenceTests {
  private static let computed = Result {
    try HeadphoneFamily.allCases.map { ($0, try Evidence.computed(of: $0)) }
  }

  @Test func `the program's table is the one that the strings prove`() throws {
    var lines: [String] = []
    for (family, evidence) in try Self.computed.get() {
      for (feature, evidence) in evidence.sorted(by: { $0.key < $1.key }) {
        for proof in Evidence.Proof.allCases {
          guard let models = evidence.models[proof] else { continue }
          lines.append(
            "\(family.rawValue)|\(feature)|\(proof.rawValue)|\(models.joined(separator: ";"))")
        }
      }
    }
    let wanted = """
      // Made by EvidenceTests from the strings of Tests/HeadphoneProtocolsTests (UPDATE_SCREENS=1).

      extension Evidence {
        /// Lines of family, feature, proof, and models with a semicolon between.
        static let recordedLines = \"\"\"
      \(lines.map { "    \($0)\n" }.joined())    \"\"\"
      }

      """
    let file = GeneratedPage(
      ofProject: "Sources/HeadphoneProtocols/Evidence/RecordedEvidence.swift")
    #expect(try file.text(rewrittenTo: wanted) == wanted)
  }

  @Test func `the page of headphones has the same table`() throws {
    let page = GeneratedPage("headphones.md")
    var wanted = try page.text()
    var rows = ["| family | feature | read | set | confirmed |", "| --- | --- | --- | --- | --- |"]
    for (family, evidence) in try Self.computed.get() {
      for (feature, evidence) in evidence.sorted(by: { $0.key < $1.key }) {
        let cells = Evidence.Proof.allCases.map { proof in
          evidence.models[proof].map { $0.isEmpty ? "yes" : $0.joined(separator: ", ") } ?? ""
        }
        rows.append("| \(([family.rawValue, "`\(feature)`"] + cells).joined(separator: " | ")) |")
      }
    }
    let isReplaced = wanted.replaceTable(
      after: "### What was recorded", with: rows.joined(separator: "\n"))
    #expect(isReplaced)
    #expect(try page.text(rewrittenTo: wanted) == wanted)
  }

  @Test func `the page of headphones lists the models that are known by name`() throws {
    let page = GeneratedPage("headphones.md")
    var wanted = try page.text()
    let rows = HeadphoneFamily.allCases.compactMap { family -> String? in
      let names = family.modelNames
      return names.isEmpty ? nil : "| \(family.rawValue) | \(names.joined(separator: ", ")) |"
    }
    let table = ["| family | models |", "| --- | --- |"] + rows
    let isReplaced = wanted.replaceTable(
      after: "## Models", with: table.joined(separator: "\n"))
    #expect(isReplaced)
    #expect(try page.text(rewrittenTo: wanted) == wanted)
  }

  @Test func `the page of corrections has what the program reads now`() throws {
    let page = GeneratedPage("evidence.md")
    let lines = try page.text().split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = try lines.map { try Correction($0)?.row() ?? String($0) }.joined(separator: "\n")
    #expect(lines.count { Correction($0) != nil } > 20)
    #expect(try page.text(rewrittenTo: wanted) == wanted)
  }

  @Test func `each feature of the table can be asked for`() throws {
    for (family, evidence) in try Self.computed.get() {
      #expect(family.recordedFeatures == evidence.keys.sorted())
      for (feature, evidence) in evidence {
        #expect(family.evidence(of: feature) == evidence, "\(family.rawValue) \(feature)")
      }
    }
  }

  @Test func `what nobody has recorded is untried`() {
    let unknown = HeadphoneFamily.standard.evidence(of: "not-there")
    #expect(unknown.strongest == nil && unknown.isUntried)
    #expect(Evidence([.read: []]).isUntried)
    #expect(!Evidence([.read: [], .set: ["A"]]).isUntried)
    #expect(Evidence([.read: [], .confirmed: ["A"]]).strongest == .confirmed)
  }
}

extension HeadphoneFamily {
  /// The settings and other features with a recording, in alphabetical order.
  fileprivate var recordedFeatures: [String] { Evidence.recorded[rawValue]?.keys.sorted() ?? [] }

  /// The models that Earshot names, or the recorded ones if the headphone itself reports the name.
  fileprivate var modelNames: [String] {
    let names: [String] =
      switch rawValue {
      case "airpods": ModelCatalog.bundled.models.filter { $0.family == self }.map(\.name)
      case "nothing": NothingModel.allCases.map(\.rawValue)
      case "soundcore": Array(SoundcoreModels.names.values)
      case "galaxy-buds": GalaxyBudsModel.allCases.map(\.name)
      case "bose": Array(BoseProduct.names.values)
      case "huawei":
        HuaweiModel.products.map(\.value.name) + HuaweiModel.codes.map(\.value.name)
      case "oppo": OppoProduct.all.values.map(\.name)
      default: recordedFeatures.flatMap { evidence(of: $0).models.values.flatMap(\.self) }
      }
    return Set(names).sorted()
  }
}
