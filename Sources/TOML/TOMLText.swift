/// The lines of a document, from which those with syntax errors can be removed.
struct TOMLText {
  private(set) var lines: [ArraySlice<UInt8>]

  init(_ text: some Sequence<UInt8>) {
    lines = Array(text).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  var isEmpty: Bool { lines.allSatisfy(\.isEmpty) }

  var string: String {
    String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
  }

  /// The first line that is not UTF-8, or has a zero byte, which would end the text in C.
  var brokenLine: Int? {
    lines.firstIndex { $0.contains(0) || String(validating: $0, as: UTF8.self) == nil }.map {
      $0 + 1
    }
  }

  /// The line that an error at `line` belongs to: a missing end is noticed only below its start.
  func line(near line: Int) -> Int {
    let end = min(max(line, 1), lines.count)
    return (lines[..<end].lastIndex { !$0.isBlank } ?? end - 1) + 1
  }

  /// Empties a line; for a table's header also the lines of the table, which would otherwise
  /// become part of the one before.
  mutating func drop(_ line: Int) {
    let isHeader = lines[line - 1].isHeader
    lines[line - 1] = []
    guard isHeader else { return }
    for next in lines.indices[line...] {
      if lines[next].isHeader { break }
      lines[next] = []
    }
  }
}

extension ArraySlice<UInt8> {
  private static let blanks = Array(" \t\r".utf8)

  /// The line without leading blanks.
  var trimmed: Self { drop { Self.blanks.contains($0) } }

  fileprivate var isBlank: Bool { trimmed.isEmpty }
  var isHeader: Bool { trimmed.first == UInt8(ascii: "[") }
}
