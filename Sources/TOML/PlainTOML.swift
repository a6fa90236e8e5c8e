/// The content of a document without places and the order of keys, for comparing documents.
indirect enum PlainTOML: Hashable {
  case scalar(TOMLValue)
  /// A number's bits, since NaN does not equal itself.
  case float(UInt64)
  case list([PlainTOML])
  case table([String: PlainTOML])

  init(_ document: TOMLDocument) { self.init(.table(document.root)) }

  init(_ value: TOMLValue) {
    switch value {
    case .float(let number): self = .float(number.bitPattern)
    case .array(let items): self = .list(items.map { PlainTOML($0.value) })
    case .table(let table):
      self = .table(
        Dictionary(
          table.entries.map { ($0.key, PlainTOML($0.node.value)) }, uniquingKeysWith: { $1 }))
    case .string, .integer, .bool, .dateTime: self = .scalar(value)
    }
  }

  subscript(path: ArraySlice<String>) -> PlainTOML? {
    guard let name = path.first else { return self }
    guard case .table(let keys) = self else { return nil }
    return keys[name]?[path.dropFirst()]
  }

  mutating func set(_ new: PlainTOML?, at path: ArraySlice<String>) {
    guard case .table(var keys) = self, let name = path.first else { return }
    var inner = keys[name] ?? .table([:])
    inner.set(new, at: path.dropFirst())
    keys[name] = path.count == 1 ? new : inner
    self = .table(keys)
  }

  /// Adds the entries of a table, merging entries that both tables have.
  mutating func merge(_ other: PlainTOML) {
    guard case .table(var keys) = self, case .table(let new) = other else { return }
    keys.merge(new) { old, new in
      var both = old
      both.merge(new)
      return both
    }
    self = .table(keys)
  }

  mutating func prune(_ path: ArraySlice<String>) {
    guard case .table(var keys) = self, let name = path.first, var inner = keys[name] else {
      return
    }
    inner.prune(path.dropFirst())
    keys[name] = inner == .table([:]) ? nil : inner
    self = .table(keys)
  }
}
