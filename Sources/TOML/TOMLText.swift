/// The lines of a document, of which those with syntax errors can be removed.
struct TOMLText {
  /// The lines without their line ends; those that were removed are empty.
  private(set) var lines: [ArraySlice<UInt8>]

  /// The byte order mark, which editors on Windows put before UTF-8 and TOML ignores.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Splits a text into lines.
  init(_ text: some Sequence<UInt8>) {
    let text = Array(text)
    lines = text.dropFirst(text.starts(with: Self.byteOrderMark) ? 3 : 0)
      .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  /// The remaining text.
  var bytes: [UInt8] { Array(lines.joined(separator: [UInt8(ascii: "\n")])) }

  /// The first line that is not UTF-8 or has a zero byte, as a binary file does.
  var brokenLine: Int? {
    lines.firstIndex { $0.contains(0) || String(validating: $0, as: UTF8.self) == nil }.map {
      $0 + 1
    }
  }

  /// The line that is to blame for an error at `line`.
  ///
  /// The parser notices a missing bracket or quote only below the line that lacks it, so this is
  /// the last line up to there that is not blank.
  func line(near line: Int) -> Int {
    let end = min(max(line, 1), lines.count)
    return (lines[..<end].lastIndex { !$0.isBlank } ?? end - 1) + 1
  }

  /// Empties a line.
  ///
  /// With the header of a table go the lines of the table, which would otherwise become part of the
  /// table before it.
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
  /// Whether the line is the header of a table or of an array of tables.
  var isHeader: Bool { trimmed.first == UInt8(ascii: "[") }
}
