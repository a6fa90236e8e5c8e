/// A part of a dotted key.
struct TOMLKey: Hashable, Sendable {
  var name: String
  var position: TOMLPosition
}

extension TOMLTable {
  /// Opens the table of a header `[a.b]`, or a new one in the list of `[[a.b]]`.
  mutating func open(_ path: ArraySlice<TOMLKey>, inList: Bool) throws(TOMLMistake) {
    guard let key = path.first else { return }
    guard let index = index(of: key) else {
      var table = TOMLTable(path.count == 1 ? .header : .implied)
      try table.open(path.dropFirst(), inList: inList)
      let new = TOMLNode(.table(table), at: key.position)
      return append(
        key, path.count == 1 && inList ? TOMLNode(.array([new]), at: key.position) : new)
    }
    if path.count == 1 {
      try reopen(index, key, inList: inList)
    } else {
      try changeTable(at: index, key) { table throws(TOMLMistake) in
        try table.open(path.dropFirst(), inList: inList)
      }
    }
  }

  /// A header whose table is there already: only one that was implied so far, or a list's next.
  private mutating func reopen(_ index: Int, _ key: TOMLKey, inList: Bool) throws(TOMLMistake) {
    switch entries[index].node.value {
    case .table(var table) where !inList && table.origin == .implied:
      table.origin = .header
      entries[index].node = TOMLNode(.table(table), at: key.position)
    case .array(let items) where inList && items.last?.isListed == true:
      let next = TOMLNode(.table(TOMLTable(.header)), at: key.position)
      entries[index].node.value = .array(items + [next])
    default: throw twice(index, key)
    }
  }

  /// Puts a value under a dotted key into the table that `header` opened last.
  mutating func insert(
    _ node: TOMLNode, under keys: ArraySlice<TOMLKey>, of header: ArraySlice<TOMLKey>
  ) throws(TOMLMistake) {
    guard let part = header.first else { return try insert(node, under: keys) }
    guard let index = index(of: part) else { return }
    try changeTable(at: index, part) { table throws(TOMLMistake) in
      try table.insert(node, under: keys, of: header.dropFirst())
    }
  }

  mutating func insert(_ node: TOMLNode, under keys: ArraySlice<TOMLKey>) throws(TOMLMistake) {
    guard let key = keys.first else { return }
    let rest = keys.dropFirst()
    guard let index = index(of: key) else {
      guard !rest.isEmpty else { return append(key, node) }
      var table = TOMLTable(.dotted)
      try table.insert(node, under: rest)
      return append(key, TOMLNode(.table(table), at: key.position))
    }
    guard !rest.isEmpty, case .table(let table) = entries[index].node.value,
      table.origin == .dotted
    else { throw twice(index, key) }
    try changeTable(at: index, key) { table throws(TOMLMistake) in
      try table.insert(node, under: rest)
    }
  }

  private func index(of key: TOMLKey) -> Int? { entries.firstIndex { $0.key == key.name } }

  private mutating func append(_ key: TOMLKey, _ node: TOMLNode) {
    entries.append(Entry(key: key.name, position: key.position, node: node))
  }

  /// Changes the table of an entry, or the last one of its list.
  private mutating func changeTable(
    at index: Int, _ key: TOMLKey, _ change: (inout TOMLTable) throws(TOMLMistake) -> Void
  ) throws(TOMLMistake) {
    switch entries[index].node.value {
    case .table(var table) where table.origin != .inline:
      try change(&table)
      entries[index].node.value = .table(table)
    case .array(var items):
      guard case .table(var table)? = items.last?.value, table.origin == .header else {
        throw twice(index, key)
      }
      try change(&table)
      items[items.count - 1].value = .table(table)
      entries[index].node.value = .array(items)
    default: throw twice(index, key)
    }
  }

  private func twice(_ index: Int, _ key: TOMLKey) -> TOMLMistake {
    TOMLMistake(
      "\"\(key.name)\" is defined in line \(entries[index].position.line) already",
      at: key.position)
  }
}

extension TOMLNode {
  /// A table that a `[[header]]` made.
  fileprivate var isListed: Bool {
    guard case .table(let table) = value else { return false }
    return table.origin == .header
  }
}
