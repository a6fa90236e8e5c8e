internal import JSON

/// A JSON file with a list of values and the version of its form.
struct ListFile: Hashable, Sendable {
  private static let version: Int64 = 1

  let file: PrivateFile
  /// The key of the list in the top-level object.
  let key: String
  /// The content of the list, in words for error messages.
  let subject: String

  /// The values of the list; empty if there is no file.
  ///
  /// - Throws: ``FileError``; ``FileError/malformed(path:reason:)`` also for another version.
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
  ///
  /// - Parameters:
  ///   - items: the new items.
  ///   - isPrecious: whether to wait until the file is on the disk.
  /// - Throws: ``FileError``; the file is then unchanged.
  func write(_ items: [JSON], isPrecious: Bool = true) throws(FileError) {
    let json: JSON = ["version": .integer(Self.version), key: .array(items)]
    try file.replace(with: Array("\(json)\n".utf8), isPrecious: isPrecious)
  }
}
