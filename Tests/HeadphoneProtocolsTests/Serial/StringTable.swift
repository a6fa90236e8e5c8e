import Foundation
import TOML
import Testing

@testable import HeadphoneProtocols

/// A table of a file of strings, such as `[[string]]` or `[[conversation]]`.
struct StringTable: Sendable {
  private let table: TOMLTable

  /// Returns the tables of a key in order, or empty if there are none.
  private static func tables(_ key: String, in parent: TOMLTable) throws -> [StringTable] {
    guard case .array(let entries)? = parent[key]?.node.value else { return [] }
    return try entries.map { entry in
      guard case .table(let table) = entry.value else { throw BrokenFile(key: key) }
      return StringTable(table: table)
    }
  }

  /// Returns the tables of a key in a family's file.
  static func all(_ key: String, of family: HeadphoneFamily, in folder: URL) throws -> [StringTable]
  {
    let file = folder.appendingPathComponent("\(family.rawValue).toml")
    let document = TOMLDocument(parsing: try Data(contentsOf: file))
    #expect(document.mistakes.isEmpty)
    return try tables(key, in: document.root)
  }

  /// Returns the families with a file in a folder; throws for an unknown one.
  static func families(in folder: URL) throws -> [HeadphoneFamily] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { file in
      try #require(HeadphoneFamily(rawValue: String(file.dropLast(".toml".count))), "\(file)")
    }
  }

  /// Returns the folder of a kind of file, beside the test folders.
  static func folder(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent(name)
  }

  func has(_ key: String) -> Bool { table[key] != nil }

  /// Returns the text of a required key.
  func text(_ key: String) throws -> String {
    guard case .string(let text)? = table[key]?.node.value else { throw BrokenFile(key: key) }
    return text
  }

  /// Returns the text of an optional key.
  func textIfPresent(_ key: String) throws -> String? { has(key) ? try text(key) : nil }

  /// Returns the texts of a key, or nil if it is absent.
  func texts(_ key: String) -> [String]? {
    guard case .array(let items)? = table[key]?.node.value else { return nil }
    return items.compactMap { if case .string(let text) = $0.value { text } else { nil } }
  }

  func tables(_ key: String) throws -> [StringTable] { try Self.tables(key, in: table) }

  /// A file without a required key.
  struct BrokenFile: Error {
    var key: String
  }
}
