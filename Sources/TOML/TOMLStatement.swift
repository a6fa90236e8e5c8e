/// A header, or a key with its value, with their places in the text.
struct TOMLStatement: Hashable, Sendable {
  struct Part: Hashable, Sendable {
    var name: String
    var place: Range<Int>
  }

  /// The index of the header above the key, or nil for a header and for a key above all headers.
  var header: Int?
  var key: [Part]
  var value: Range<Int>?
  /// Whether this is the header of an element of an array of tables.
  var isArray = false

  var end: Int { value?.upperBound ?? key[key.count - 1].place.upperBound }
}

extension TOMLDocument {
  /// Returns the path of a statement from the root, or nil within an array of tables.
  func path(of statement: TOMLStatement) -> [String]? {
    let header = statement.header.map { statements[$0] }
    guard !statement.isArray, header?.isArray != true else { return nil }
    return ((header?.key ?? []) + statement.key).map(\.name)
  }
}
