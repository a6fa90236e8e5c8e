import Glibc
import TerminalUI
import Testing

/// Compares a screen with `Screens/<name>.txt`; `UPDATE_SCREENS=1` rewrites the file instead.
func expectScreen(
  _ screen: Screen, _ name: String, file: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let tests = file.split(separator: "/").dropLast(2).joined(separator: "/")
  let path = "/\(tests)/Screens/\(name).txt"
  let actual = reported(screen)
  if getenv("UPDATE_SCREENS") != nil {
    #expect(write(actual, to: path), "cannot write \(path)", sourceLocation: sourceLocation)
    return
  }
  guard let expected = read(path) else {
    Issue.record(
      "there is no \(path); make it with UPDATE_SCREENS=1", sourceLocation: sourceLocation)
    return
  }
  if actual != expected {
    Issue.record(
      "\(name) looks different; if it should, rewrite it with UPDATE_SCREENS=1\n\(actual)",
      sourceLocation: sourceLocation)
  }
}

/// The text in a frame, then a letter for each cell's role, then the letters' meanings.
///
/// A frame's right side stands right only where the reader's font agrees on wide characters.
func reported(_ screen: Screen) -> String {
  var letters: [Role: Character] = [.plain: "."]
  var legend = ""
  var roles = ""
  for row in 0..<screen.size.rows {
    roles += "|"
    for column in 0..<screen.size.columns {
      let cell = screen[column, row]
      // The role of a space shows only if it has a ground.
      let role = cell.text == " " && !cell.role.hasGround ? .plain : cell.role
      if letters[role] == nil {
        let letter = nextLetter(letters.count - 1)
        letters[role] = letter
        legend += "\(letter) \(role.name)\n"
      }
      roles.append(letters[role] ?? "?")
    }
    roles += "|\n"
  }
  let text = (0..<screen.size.rows).map { "|\(screen.text(row: $0))|\n" }.joined()
  return text + "\n" + roles + "\n" + legend
}

extension Role {
  fileprivate var hasGround: Bool {
    switch self {
    case .segmentSelected, .segmentPending, .segmentStale, .button, .buttonSelected, .entry: true
    default: false
    }
  }
}

private func nextLetter(_ number: Int) -> Character {
  let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
  return letters[number % letters.count]
}

private func read(_ path: String) -> String? {
  guard let stream = fopen(path, "r") else { return nil }
  defer { fclose(stream) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 {
    bytes += buffer.prefix(count)
  }
  return String(decoding: bytes, as: UTF8.self)
}

private func write(_ text: String, to path: String) -> Bool {
  guard let stream = fopen(path, "w") else { return false }
  defer { fclose(stream) }
  return fputs(text, stream) >= 0
}
