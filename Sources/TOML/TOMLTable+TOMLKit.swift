internal import TOMLKit

extension TOMLTable {
  /// A table of TOMLKit with lines, in whose order the keys are; TOMLKit sorts them by name.
  init(_ table: TOMLKit.TOMLTable, at path: [String], lines: TOMLLines) {
    for key in table.keys {
      guard let node = table[key].flatMap({ TOMLNode($0, at: path + [key], lines: lines) }) else {
        continue
      }
      entries.append(Entry(key: key, node: node))
    }
    entries.sort { ($0.line, $0.key) < ($1.line, $1.key) }
  }
}

extension TOMLNode {
  fileprivate init?(
    _ value: any TOMLValueConvertible, at path: [String], lines: TOMLLines
  ) {
    guard let value = TOMLValue(value, at: path, lines: lines) else { return nil }
    self.init(value, line: lines[path])
  }
}

extension TOMLValue {
  fileprivate init?(_ value: any TOMLValueConvertible, at path: [String], lines: TOMLLines) {
    switch value.type {
    case .string: self.init(value.string.map { .string($0) })
    case .int: self.init(value.int.map { .integer($0) })
    case .double: self.init(value.double.map { .float($0) })
    case .bool: self.init(value.bool.map { .bool($0) })
    case .date: self.init(value.date.map { .dateTime($0.debugDescription) })
    case .time: self.init(value.time.map { .dateTime($0.debugDescription) })
    case .dateTime: self.init(value.dateTime.map { .dateTime($0.debugDescription) })
    case .table: self.init(value.table.map { .table(TOMLTable($0, at: path, lines: lines)) })
    case .array:
      self = .array(
        (value.array.map(Array.init) ?? []).enumerated().compactMap { place, item in
          TOMLNode(item, at: path + ["\(place)"], lines: lines)
        })
    }
  }

  private init?(_ value: TOMLValue?) {
    guard let value else { return nil }
    self = value
  }
}
