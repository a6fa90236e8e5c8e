/// A line of text being edited, in characters (grapheme clusters) and without control codes.
package struct TextEntry: Hashable, Sendable {
  package var purpose: Purpose
  package private(set) var text: String
  /// The number of characters before the cursor.
  package private(set) var cursor: Int
  /// The reason why Enter did not accept the text.
  package var complaint: String?
  /// The possible continuations of a completed path; empty if there is at most one.
  package var names: [String] = []

  package init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    self.text = text
    cursor = text.count
  }

  /// Edits the text at the cursor; a paste takes one call for each character.
  mutating func type(_ key: TextKey) {
    var characters = Array(text)
    switch key {
    case .character(let character):
      guard !character.isControl else { return }
      characters.insert(character, at: cursor)
      // A combining mark joins the character before it.
      cursor += String(characters).count - text.count
    case .backspace where cursor > 0:
      cursor -= 1
      characters.remove(at: cursor)
    case .delete where cursor < characters.count: characters.remove(at: cursor)
    case .backspace, .delete: return
    case .clear: (characters, cursor) = ([], 0)
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .start: cursor = 0
    case .end: cursor = characters.count
    }
    text = String(characters)
    cursor = min(cursor, text.count)
  }
}

extension TextEntry {
  /// The purpose of a text entry: its words, and the effect of keys in it.
  ///
  /// The feature that asks for the text declares one such value.
  ///
  /// ```swift
  /// extension TextEntry.Purpose {
  ///   package static let saveScene = TextEntry.Purpose(
  ///     "SAVE AS A SCENE", "1 to 40 letters, digits, - or _."
  ///   ) { $0.saveScene(as: $1, at: $2) }
  /// }
  /// ```
  package struct Purpose: Sendable {
    private let id: DeclarationID
    /// The heading, in capitals.
    package var title: String { id.name }
    /// The expected input, in one line.
    package let explanation: String
    package let isPath: Bool
    let tab: @Sendable (inout State, TextEntry) -> [Effect]
    /// Follows the text while it is typed; the text is empty when Esc closes the entry.
    let follow: @Sendable (inout State, String) -> Void
    let accept: @Sendable (inout State, TextEntry, Timestamp) -> [Effect]

    init(
      _ title: String, _ explanation: String, of objects: any Hashable & Sendable...,
      isPath: Bool = false,
      tab: @escaping @Sendable (inout State, TextEntry) -> [Effect] = { _, _ in [] },
      follow: @escaping @Sendable (inout State, String) -> Void = { _, _ in },
      accept: @escaping @Sendable (inout State, TextEntry, Timestamp) -> [Effect]
    ) {
      id = DeclarationID(name: title, objects: objects)
      self.explanation = explanation
      self.isPath = isPath
      if isPath {
        self.tab = { _, entry in [.completePath(entry.text)] }
      } else {
        self.tab = tab
      }
      self.follow = follow
      self.accept = accept
    }
  }
}

extension TextEntry.Purpose: Hashable {
  package static func == (one: Self, other: Self) -> Bool { one.id == other.id }
  package func hash(into hasher: inout Hasher) { id.hash(into: &hasher) }
}

extension State {
  mutating func complain(_ complaint: String, in entry: TextEntry) -> [Effect] {
    var entry = entry
    entry.complaint = complaint
    dialog = .entry(entry)
    return []
  }
}

extension Character {
  /// Whether the character contains a control code, such as an escape in a paste.
  fileprivate var isControl: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
