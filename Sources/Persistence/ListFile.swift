internal import JSON

/// A file with a list of things of one kind, in a form that has a number.
struct ListFile: Hashable, Sendable {
  private static let version: Int64 = 1

  let file: PrivateFile
  /// Under which the list stands.
  let key: String
  /// What it is a list of, for a person.
  let subject: String

  /// What stands in the list; empty: there is no file.
  ///
  /// - Throws: ``FileError/malformed(path:reason:)`` also for a list of another form.
  func items() throws(FileError) -> [JSON] {
    guard let bytes = try file.read() else { return [] }
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      throw .malformed(path: file.path, reason: error.description)
    }
    guard json["version"]?.wholeNumber == Self.version, let items = json[key]?.elements else {
      throw .malformed(
        path: file.path, reason: "not a list of \(subject) of version \(Self.version)")
    }
    return items
  }

  /// Replaces the list.
  func write(_ items: [JSON]) throws(FileError) {
    let json: JSON = ["version": .integer(Self.version), key: .array(items)]
    try file.replace(with: Array("\(json)\n".utf8))
  }
}
