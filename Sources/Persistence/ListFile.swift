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
  func items() throws(FileError) -> [JSON] { try contents().items }

  /// The members of the file, and its list.
  private func contents() throws(FileError) -> (members: [JSON.Member], items: [JSON]) {
    guard let bytes = try file.read() else { return ([], []) }
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      throw .malformed(path: file.path, reason: error.description)
    }
    guard json["version"]?.wholeNumber == Self.version, let items = json[key]?.elements,
      case .object(let members) = json
    else {
      throw .malformed(
        path: file.path, reason: "not a list of \(subject) of version \(Self.version)")
    }
    return (members, items)
  }

  /// Changes the list; the caller has the lock.
  ///
  /// What this program does not understand stays as it is, since a newer one may have written it:
  /// entries, members of entries, and members of the file.
  ///
  /// - Parameters:
  ///   - identity: the members that identify an entry.
  ///   - renaming: the value of the first of these members before and after the change, where an
  ///     entry goes on under another identity.
  ///   - limit: the most entries, of which the last are kept.
  ///   - isPrecious: whether to wait until the file is on the disk.
  ///   - removes: whether an entry that `decode` does not understand goes, too.
  ///   - decode: the entry of a value; `nil` if it is not understood.
  ///   - body: changes the entries that are understood.
  /// - Returns: these entries after the change.
  /// - Throws: ``FileError``; the file is then unchanged.
  func change<Entry: Equatable>(
    identifiedBy identity: [String], renaming: (old: JSON, new: JSON)? = nil,
    atMost limit: Int = .max, isPrecious: Bool = true,
    removing removes: (JSON) -> Bool = { _ in false },
    decode: (JSON) -> Entry?, encode: (Entry) -> JSON,
    _ body: (inout [Entry]) throws(FileError) -> Void
  ) throws(FileError) -> [Entry] {
    file.removeLeftovers()
    let (members, items) = try contents()
    let known = items.compactMap { item in decode(item).map { (entry: $0, item: item) } }
    var foreign = items.filter { decode($0) == nil && !removes($0) }
    var entries = known.map(\.entry)
    try body(&entries)
    guard entries != known.map(\.entry) || foreign.count + known.count < items.count else {
      return entries
    }
    let new = entries.map { entry in
      let json = encode(entry)
      // Samples have no identity: they have no members that could be kept.
      guard !identity.isEmpty else { return json }
      var names = identity.map { json[$0] }
      if let renaming, names.first == renaming.new { names[0] = renaming.old }
      func isSame(_ item: JSON) -> Bool { identity.map { item[$0] } == names }
      if let old = known.first(where: { isSame($0.item) }) {
        return json.keepingForeign(of: old.item, insteadOf: encode(old.entry))
      }
      guard let index = foreign.firstIndex(where: isSame) else { return json }
      return json.keepingForeign(of: foreign.remove(at: index), insteadOf: nil)
    }
    let own: JSON = [
      "version": .integer(Self.version), key: .array((foreign + new).suffix(limit)),
    ]
    let json = own.keepingForeign(of: .object(members), insteadOf: nil)
    try file.replace(with: Array("\(json)\n".utf8), isPrecious: isPrecious)
    return entries
  }
}

extension JSON {
  /// The object with the members of an older one that it does not have itself.
  ///
  /// - Parameter own: the older object as this program would have written it: where that has the same
  ///   value as this one, the older value stays, with what it may hold besides.
  fileprivate func keepingForeign(of old: JSON, insteadOf own: JSON?) -> JSON {
    guard case .object(let members) = self, case .object(let oldMembers) = old else { return self }
    let kept = members.map { member in
      guard let own, own[member.key] == member.value, let value = old[member.key] else {
        return member
      }
      return Member(member.key, value)
    }
    return .object(kept + oldMembers.filter { self[$0.key] == nil })
  }
}
