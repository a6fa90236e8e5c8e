/// The lines of a document, of which those with syntax errors can be removed.
struct TOMLText {
  /// The lines without line ends; removed lines are blank, so that other bytes keep their places.
  private(set) var lines: [ArraySlice<UInt8>]

  /// The byte order mark, which editors on Windows put before UTF-8 and TOML ignores.
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  init(_ text: some Sequence<UInt8>) {
    let text = Array(text)
    lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if text.starts(with: Self.byteOrderMark) {
      lines[0] =
        [UInt8](repeating: UInt8(ascii: " "), count: Self.byteOrderMark.count)
        + lines[0].dropFirst(Self.byteOrderMark.count)
    }
  }

  var bytes: [UInt8] { Array(lines.joined(separator: [UInt8(ascii: "\n")])) }

  /// The first line that is not UTF-8 or has a zero byte, as in a binary file.
  var brokenLine: Int? {
    lines.firstIndex { $0.contains(0) || String(validating: $0, as: UTF8.self) == nil }.map {
      $0 + 1
    }
  }

  /// Returns the line to blame for an error at `line`: the last one up to there that is not blank.
  ///
  /// The parser notices a missing bracket or quote only below the line that lacks it.
  func line(near line: Int) -> Int {
    let end = min(max(line, 1), lines.count)
    return (lines[..<end].lastIndex { !$0.isBlank } ?? end - 1) + 1
  }

  /// Blanks a line and, if it is the header of a table, the lines of the table.
  ///
  /// Otherwise, those lines would become part of the table before.
  mutating func drop(_ line: Int) {
    let isHeader = lines[line - 1].isHeader
    blank(line - 1)
    guard isHeader else { return }
    for next in lines.indices[line...] {
      if lines[next].isHeader { break }
      blank(next)
    }
  }

  private mutating func blank(_ index: Int) {
    lines[index] = ArraySlice(repeating: UInt8(ascii: " "), count: lines[index].count)
  }
}

extension ArraySlice<UInt8> {
  private static let blanks = Array(" \t\r".utf8)

  var trimmed: Self { drop { Self.blanks.contains($0) } }

  fileprivate var isBlank: Bool { trimmed.isEmpty }
  var isHeader: Bool { trimmed.first == UInt8(ascii: "[") }
}
