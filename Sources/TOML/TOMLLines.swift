internal import TOMLKit

/// On which line each key of a valid document stands.
///
/// A key within braces counts as on the line of the key before them.
struct TOMLLines {
  /// By path; of a list of tables, the place in it is a part of the path.
  private var lines: [[String]: Int] = [:]
  /// How many tables a list has so far.
  private var counts: [[String]: Int] = [:]
  private var header: [String] = []
  private var value = TOMLOpenValue()

  init(_ text: TOMLText) {
    for (index, line) in text.lines.enumerated() { read(line, number: index + 1) }
  }

  /// The line of a path, or of the nearest one around it.
  subscript(path: [String]) -> Int {
    var path = path[...]
    while !path.isEmpty {
      if let line = lines[Array(path)] { return line }
      path = path.dropLast()
    }
    return 1
  }

  private mutating func read(_ line: ArraySlice<UInt8>, number: Int) {
    guard !value.isOpen else { return value.read(line) }
    let line = line.trimmed
    switch line.first {
    case nil, UInt8(ascii: "#"): return
    case UInt8(ascii: "["): readHeader(line.dropFirst(), number)
    default:
      guard let end = TOMLOpenValue.end(of: line, at: UInt8(ascii: "=")) else { return }
      note(header + keys(line[..<end]), number)
      value.read(line[(end + 1)...])
    }
  }

  private mutating func readHeader(_ line: ArraySlice<UInt8>, _ number: Int) {
    let isOfList = line.first == UInt8(ascii: "[")
    let line = isOfList ? line.dropFirst() : line
    guard let end = TOMLOpenValue.end(of: line, at: UInt8(ascii: "]")) else { return }
    var names = keys(line[..<end])
    guard let last = names.popLast() else { return }
    // Within a list, a header is about its last table.
    header = names.reduce(into: []) { path, name in
      path.append(name)
      if let count = counts[path] { path.append("\(count - 1)") }
    }
    header.append(last)
    note(header, number)
    if isOfList {
      counts[header, default: 0] += 1
      header.append("\((counts[header] ?? 1) - 1)")
      note(header, number)
    } else if let count = counts[header] {
      header.append("\(count - 1)")
    }
  }

  private mutating func note(_ path: [String], _ number: Int) {
    for length in path.indices.map({ $0 + 1 }) where lines[Array(path[..<length])] == nil {
      lines[Array(path[..<length])] = number
    }
  }

  /// The parts of a dotted key.
  private func keys(_ text: ArraySlice<UInt8>) -> [String] {
    let assignment = String(decoding: text, as: UTF8.self) + " = 0"
    guard var table = try? TOMLKit.TOMLTable(string: assignment) else { return [] }
    let root = table
    var names: [String] = []
    while let key = table.keys.first {
      names.append(key)
      guard let inner = table[key]?.table else { break }
      table = inner
    }
    return withExtendedLifetime(root) { names }
  }
}
