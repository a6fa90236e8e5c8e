extension String {
  /// Without the spaces around it.
  var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }

  /// Without what a paste or a file dropped on the terminal puts around a path.
  var withoutQuotes: String {
    let text = trimmed
    for quote: Character in ["'", "\""]
    where text.count > 1 && text.first == quote && text.last == quote {
      return String(text.dropFirst().dropLast())
    }
    return text
  }
}
