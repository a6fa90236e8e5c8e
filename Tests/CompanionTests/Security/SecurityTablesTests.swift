import BluetoothCodec
import Foundation
import Testing

@testable import Companion

/// The form of the tables, and their agreement with the documentation.
@Suite struct SecurityTablesTests {
  private static let advisories =
    SecurityTables.firmware + SecurityTables.bluetoothd + SecurityTables.kernel
  private static let references =
    advisories.map(\.reference) + SecurityTables.debugServices.map(\.reference)
    + SecurityTables.references.values

  @Test func `every line of every file is understood`() {
    #expect(SecurityTables.malformed == [])
    #expect(SecurityTables.firmware.count >= 8 && SecurityTables.kernel.count >= 4)
    #expect(SecurityTables.debugServices.count == 6 && SecurityTables.bluetoothd.count >= 2)
  }

  @Test func `a line with too few columns, or an empty one, is not understood`() {
    let rows = SecurityTables.rows(Array("# text\na\tb\na\t\na\nc\td\n".utf8), columns: 2)
    #expect(rows.parsed == [["a", "b"], ["c", "d"]] && rows.malformed == ["a\t", "a"])
  }

  @Test func `each check has its line, and no line is of no check`() {
    #expect(Set(SecurityTables.references.keys) == Set(SecurityCheck.all.map(\.name)))
    #expect(Set(SecurityCheck.all.map(\.name)).count == SecurityCheck.all.count)
  }

  @Test(arguments: references)
  func `identifiers are CVE numbers or names, dates are past, sources are pages`(
    reference: SecurityReference
  ) throws {
    #expect(!reference.identifiers.isEmpty)
    for identifier in reference.identifiers {
      let isNumber = identifier.wholeMatch(of: /CVE-20[0-9]{2}-[0-9]{4,}/) != nil
      #expect(isNumber || SecurityTables.references[identifier] != nil, "\(identifier)")
    }
    #expect((reference.since == nil) == (reference.source == nil))
    guard let since = reference.since, let source = reference.source else { return }
    #expect("2000-01-01"..."2026-11-29" ~= since)
    let url = try #require(URL(string: source))
    #expect(url.scheme == "https" && url.host?.contains(".") == true)
  }

  @Test(arguments: advisories)
  func `a fixed version is fixed, and all of a row can be compared`(advisory: Advisory) {
    for fixed in advisory.versions.fixed {
      #expect(advisory.versions.verdict(on: fixed) == .fixed, "\(fixed)")
      for other in advisory.versions.fixed { #expect(fixed.order(against: other) != nil) }
    }
    for introduced in advisory.versions.introduced {
      #expect(advisory.versions.verdict(on: introduced) != .fixed, "\(introduced)")
    }
    #expect(!advisory.what.hasSuffix(".") && advisory.what.first?.isLowercase == true)
  }

  @Test func `bluetoothd and Linux have a fix in every row, and headphones a model`() {
    for advisory in SecurityTables.bluetoothd + SecurityTables.kernel {
      #expect(!advisory.versions.fixed.isEmpty && advisory.models.isEmpty)
    }
    for advisory in SecurityTables.firmware {
      #expect(!advisory.models.isEmpty)
      #expect(Set(advisory.models).count == advisory.models.count)
    }
  }

  @Test func `a model is found by what it reports or by its name, however that is written`() {
    func count(_ names: String...) -> Int { SecurityTables.advisories(for: names).count }
    #expect(count("WH-1000XM3") == 1 && count("LE_WH-1000XM3") == 1 && count("wh 1000xm3") == 1)
    #expect(count("A3048", "Jane's") == 2 && count("AirPods Pro 2") == 2)
    #expect(count("WH-1000XM33") == 0 && count("") == 0 && count("LE_") == 0)
  }

  @Test func `the documentation has every identifier and every source`() throws {
    let page = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/security-check.md")
    let text = try String(contentsOf: page.standardized, encoding: .utf8)
    for reference in Self.references {
      for identifier in reference.identifiers {
        #expect(text.contains(identifier), "\(identifier)")
      }
      if let source = reference.source { #expect(text.contains(source), "\(source)") }
      if let since = reference.since { #expect(text.contains(since), "\(since)") }
    }
    for service in SecurityTables.debugServices { #expect(text.contains("\(service.uuid)")) }
    for check in SecurityCheck.all { #expect(text.contains("`\(check.name)`"), "\(check.name)") }
    for advisory in SecurityTables.firmware {
      for fixed in advisory.versions.fixed { #expect(text.contains(fixed.description)) }
    }
  }
}
