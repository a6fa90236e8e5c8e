internal import JSON

/// A JSON file with a list of values and a format version.
struct ListFile: Hashable, Sendable {
  private static let version: Int64 = 1

  let file: PrivateFile
  let key: String
  let subject: String

  func items() throws(FileError) -> [JSON] { try contents().items }

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

  /// Changes the decoded entries of the list, and returns them; the caller has the lock.
  ///
  /// Unknown entries and members are kept, because a newer program may have written them.
  ///
  /// - Parameters:
  ///   - identity: The members that identify an entry.
  ///   - renaming: The value of the first of these members before and after a change of name.
  ///   - limit: The maximum number of entries, of which the last are kept.
  ///   - isPrecious: Whether to wait until the file is on the disk.
  ///   - removes: Whether to remove an entry that `decode` cannot decode.
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
      // Entries without an identity, such as samples, have no unknown members to keep.
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
  /// Returns this object with the additional members of `old`.
  ///
  /// - Parameter own: The old object as this program would have written it. Members that do not
  ///   differ between `own` and `self` keep their old value, with unknown contents.
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
