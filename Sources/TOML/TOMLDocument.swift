/// A text in TOML 1.0, as far as it can be understood.
///
/// Every key and value knows where it stands, so that whoever gives them a meaning can say which
/// line is wrong. A mistake costs its own line and no other.
public struct TOMLDocument: Hashable, Sendable {
  public let root: TOMLTable
  /// In the order of the lines.
  public let mistakes: [TOMLMistake]

  /// More mistakes than these are one mistake more often.
  static let mostMistakes = 20

  public init(parsing text: some Sequence<UInt8>) {
    var parser: TOMLParser
    let bytes = Array(text)
    guard let valid = String(validating: bytes, as: UTF8.self) else {
      root = TOMLTable()
      mistakes = [Self.badEncoding(bytes)]
      return
    }
    parser = TOMLParser(valid)
    parser.readDocument()
    root = parser.root
    mistakes = parser.mistakes
  }

  private static func badEncoding(_ bytes: [UInt8]) -> TOMLMistake {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
    return TOMLMistake("this is not UTF-8", at: TOMLPosition(line: line + 1, column: 1))
  }
}
