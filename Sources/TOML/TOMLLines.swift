internal import TOMLKit

/// The line of each key of a valid document, found in one pass over its lines.
///
/// A key in an inline table has the line of the key before the braces.
struct TOMLLines {
  /// By path; the index in an array of tables is a part of the path.
  private var lines: [[String]: Int] = [:]
  /// The tables so far of each array of tables.
  private var counts: [[String]: Int] = [:]
  private var header: [String] = []
  private var value = TOMLOpenValue()

  init(_ text: TOMLText) {
    for (index, line) in text.lines.enumerated() { read(line, number: index + 1) }
  }

  /// The line of a path, or else of the nearest table around it.
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
    // A header below an array of tables is about the last of them (TOML 1.0, "Array of Tables").
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

  /// The parts of a dotted key (TOML 1.0, "Keys").
  private func keys(_ text: ArraySlice<UInt8>) -> [String] {
    var names: [String] = []
    var rest = text
    while let byte = rest.first {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "."): rest = rest.dropFirst()
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let start = rest.startIndex
        TOMLOpenValue.skipText(&rest, byte)
        names.append(unquoted(text[start..<rest.startIndex] + rest.prefix(1)))
        rest = rest.dropFirst()
      default:
        let name = rest.prefix { !" \t.".utf8.contains($0) }
        names.append(String(decoding: name, as: UTF8.self))
        rest = rest[name.endIndex...]
      }
    }
    return names
  }

  /// A quoted key without its quotes; TOMLKit resolves escapes, which are rare.
  private func unquoted(_ key: ArraySlice<UInt8>) -> String {
    let isEscaped = key.first == UInt8(ascii: "\"") && key.contains(UInt8(ascii: "\\"))
    guard isEscaped else { return String(decoding: key.dropFirst().dropLast(), as: UTF8.self) }
    let table = try? TOMLKit.TOMLTable(string: String(decoding: key, as: UTF8.self) + " = 0")
    return table?.keys.first ?? ""
  }
}
