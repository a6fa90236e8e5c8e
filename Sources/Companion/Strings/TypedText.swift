extension String {
  package var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// The text without the quotes that a terminal adds around a pasted or dropped path.
  var withoutQuotes: String {
    let text = trimmed
    for quote: Character in ["'", "\""]
    where text.count > 1 && text.first == quote && text.last == quote {
      return String(text.dropFirst().dropLast())
    }
    return text
  }
}
