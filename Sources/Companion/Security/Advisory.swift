package import BluetoothCodec

package struct SecurityReference: Hashable, Sendable {
  /// CVE numbers, or the name of the check for what has none.
  package var identifiers: [String]
  /// The date, as "2026-01-15"; nil if the check is about many flaws.
  package var since: String?
  /// The URL of the source; nil if the check is about many flaws.
  package var source: String?

  package init(identifiers: [String], since: String?, source: String?) {
    self.identifiers = identifiers
    self.since = since
    self.source = source
  }
}

package struct Advisory: Hashable, Sendable {
  package var reference: SecurityReference
  /// The models, as reported or as sold; empty for a program.
  package var models: [String]
  package var versions: AffectedVersions
  /// The possible consequence, as a clause.
  package var what: String

  package init(
    _ reference: SecurityReference, models: [String] = [], versions: AffectedVersions, what: String
  ) {
    self.reference = reference
    self.models = models
    self.versions = versions
    self.what = what
  }
}

/// A service by which a chip maker's engineers reach the memory of a headphone.
package struct DebugService: Hashable, Sendable {
  package var reference: SecurityReference
  package var uuid: BluetoothUUID
  /// Whether the service is a GATT service rather than one on an RFCOMM channel.
  package var isLowEnergy: Bool
  /// The description, as a noun.
  package var what: String
}

/// The tables of known flaws, files of this repository that are part of the program.
///
/// Nothing is looked up on the network. Each line of a file is a row with columns separated by
/// tabs, or a comment that begins with "#". A test requires that none is ``malformed``.
package enum SecurityTables {
  /// The references of the checks, by their names.
  package static let references: [String: SecurityReference] = Dictionary(
    rows(PackageResources.checks_tsv, columns: 4).parsed.compactMap { row in
      reference(row[1] == "-" ? row[0] : row[1], since: row[2], source: row[3]).map { (row[0], $0) }
    }, uniquingKeysWith: { first, _ in first })

  package static let debugServices: [DebugService] =
    rows(PackageResources.services_tsv, columns: 6).parsed.compactMap { row in
      guard let uuid = BluetoothUUID(row[1]), ["LE", "BR/EDR"].contains(row[2]),
        let reference = reference(row[0], since: row[3], source: row[4])
      else { return nil }
      return DebugService(
        reference: reference, uuid: uuid, isLowEnergy: row[2] == "LE", what: row[5])
    }

  package static let firmware: [Advisory] =
    rows(PackageResources.firmware_tsv, columns: 7).parsed.compactMap { row in
      advisory([row[0]] + row[2...], models: list(row[1]))
    }

  package static let bluetoothd: [Advisory] =
    rows(PackageResources.bluetoothd_tsv, columns: 6).parsed.compactMap { advisory($0) }

  package static let kernel: [Advisory] =
    rows(PackageResources.kernel_tsv, columns: 6).parsed.compactMap { advisory($0) }

  /// The lines that are neither rows nor comments.
  package static var malformed: [String] {
    let files = [
      (PackageResources.checks_tsv, 4, references.count),
      (PackageResources.services_tsv, 6, debugServices.count),
      (PackageResources.firmware_tsv, 7, firmware.count),
      (PackageResources.bluetoothd_tsv, 6, bluetoothd.count),
      (PackageResources.kernel_tsv, 6, kernel.count),
    ]
    return files.flatMap { bytes, columns, count in
      let read = rows(bytes, columns: columns)
      let lost = read.parsed.count - count
      return read.malformed + (lost == 0 ? [] : ["\(lost) rows of \(columns) columns"])
    }
  }

  static func rows(
    _ bytes: [UInt8], columns: Int
  ) -> (parsed: [[String]], malformed: [String]) {
    var parsed: [[String]] = []
    var malformed: [String] = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("#") { continue }
      let row = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if row.count == columns, !row.contains("") {
        parsed.append(row)
      } else {
        malformed.append(String(line))
      }
    }
    return (parsed, malformed)
  }

  private static func advisory(_ row: [String], models: [String] = []) -> Advisory? {
    guard let introduced = versions(row[1]), let fixed = versions(row[2]),
      let reference = reference(row[0], since: row[3], source: row[4])
    else { return nil }
    return Advisory(
      reference, models: models,
      versions: AffectedVersions(introduced: introduced, fixed: fixed), what: row[5])
  }

  private static func reference(
    _ identifiers: String, since: String, source: String
  ) -> SecurityReference? {
    guard since == "-" || isDate(since), source == "-" || source.hasPrefix("https://") else {
      return nil
    }
    return SecurityReference(
      identifiers: list(identifiers), since: since == "-" ? nil : since,
      source: source == "-" ? nil : source)
  }

  private static func versions(_ text: String) -> [VersionNumber]? {
    let texts = list(text)
    let versions = texts.compactMap(VersionNumber.init)
    return versions.count == texts.count ? versions : nil
  }

  private static func list(_ text: String) -> [String] {
    text == "-" ? [] : text.split(separator: ",").map(String.init)
  }

  private static func isDate(_ text: String) -> Bool {
    text.wholeMatch(of: /20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])/) != nil
  }
}

extension SecurityTables {
  /// Returns the flaws of a model by its names, ignoring case, spaces and the prefix "LE_".
  package static func advisories(for names: [String]) -> [Advisory] {
    let wanted = Set(names.map(compared)).subtracting([""])
    return firmware.filter { $0.models.contains { wanted.contains(compared($0)) } }
  }

  private static func compared(_ name: String) -> String {
    let text = name.lowercased()
    let core = text.hasPrefix("le_") || text.hasPrefix("le-") ? text.dropFirst(3) : text[...]
    return core.filter { $0.isLetter || $0.isNumber }
  }
}
