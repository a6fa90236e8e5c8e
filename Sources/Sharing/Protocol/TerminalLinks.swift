internal import Companion
internal import Glibc

/// Hyperlinks in text for a terminal (OSC 8): web addresses, existing files, and documents.
struct TerminalLinks {
  /// The folder of the documents that texts call `docs/NAME.md`, or nil if they are not installed.
  var documents: String?
  /// The name of this machine, since the terminal may be on another one.
  var host: String
  /// The user's folder, which texts abbreviate as "~".
  var home: String?
  var exists: @Sendable (String) -> Bool

  /// Returns the text with links; its words and their columns stay as they are.
  func linked(_ text: String) -> String {
    var result = ""
    var word = ""
    for character in text {
      if character.isWhitespace {
        result += linked(word: word) + String(character)
        word = ""
      } else {
        word.append(character)
      }
    }
    return result + linked(word: word)
  }

  private func linked(word: String) -> String {
    let marks: Set<Character> = ["(", ")", "\"", "'", "`", ",", ";", ":", "."]
    let opening = word.prefix { marks.contains($0) && $0 != "." }
    var name = word.dropFirst(opening.count)
    while let last = name.last, marks.contains(last) { name.removeLast() }
    guard let target = target(of: String(name)) else { return word }
    let closing = word.dropFirst(opening.count + name.count)
    return "\(opening)\u{1B}]8;;\(target)\u{1B}\\\(name)\u{1B}]8;;\u{1B}\\\(closing)"
  }

  private func target(of name: String) -> String? {
    if name.hasPrefix("https://"), name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) { return name }
    let path =
      name.hasPrefix("docs/") && name.hasSuffix(".md")
      ? documents.map { $0 + name.dropFirst("docs".count) }
      : name.hasPrefix("~/") ? home.map { $0 + name.dropFirst() } : name
    guard let path, path.hasPrefix("/"), path.count > 1, exists(path) else { return nil }
    return "file://\(host)\(encoded(path))"
  }

  /// Returns a path for a URI, in which only unreserved characters and "/" stay (RFC 3986, 2.3).
  private func encoded(_ path: String) -> String {
    path.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber)
      guard !isPlain, !"-._~/".contains(character) else { return String(character) }
      return (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

extension TerminalLinks {
  /// Creates the links of this process; documents are in `../share/doc/earshot` beside the program.
  init() {
    var name = [CChar](repeating: 0, count: 256)
    let isNamed = gethostname(&name, name.count - 1) == 0
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &path, path.count - 1)
    let program = String(
      decoding: path.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    let folder = program.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
    self.init(
      documents: folder + "/share/doc/earshot",
      host: isNamed
        ? String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        : "",
      home: getenv("HOME").map { String(cString: $0) },
      exists: { access($0, F_OK) == 0 })
  }
}
