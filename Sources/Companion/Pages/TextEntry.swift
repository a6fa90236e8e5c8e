/// A line of text that is being typed.
///
/// The cursor counts characters (extended grapheme clusters), so that a combining mark or an emoji
/// is one step. Control characters are not taken, whatever a paste contains.
public struct TextEntry: Hashable, Sendable {
  /// What the text is for.
  public var purpose: Purpose
  /// The text as typed so far.
  public private(set) var text: String
  /// How many characters stand before the cursor.
  public private(set) var cursor: Int
  /// Why Enter did not take it; nil: nothing wrong so far.
  public var complaint: String?
  /// What a path that was completed can go on with; empty: it was not, or with one thing only.
  public var names: [String] = []

  /// A dialog with the cursor behind its text.
  ///
  /// - Parameter text: what is in it at first.
  public init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    self.text = text
    cursor = text.count
  }

  /// Edits the text at the cursor.
  ///
  /// - Parameter key: One key; a paste is one call per character.
  mutating func type(_ key: TextKey) {
    var characters = Array(text)
    switch key {
    case .character(let character):
      guard !character.isControl else { return }
      characters.insert(character, at: cursor)
      // A mark joins the character before it.
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
  /// What a text is typed for: its words, and what keys do with it.
  ///
  /// The feature that asks for the text declares one such value, and everything else follows from it.
  ///
  /// ```swift
  /// extension TextEntry.Purpose {
  ///   package static let saveScene = TextEntry.Purpose(
  ///     "SAVE AS A SCENE", "1 to 40 letters, digits, - or _."
  ///   ) { $0.saveScene(as: $1, at: $2) }
  /// }
  /// ```
  public struct Purpose: Sendable {
    private let id: DeclarationID
    /// The heading, in capitals.
    public var title: String { id.name }
    /// What is expected, in one line.
    public let explanation: String
    /// Whether the text is the path of a file, which Tab completes.
    public let isPath: Bool
    /// Tab.
    let tab: @Sendable (inout State, TextEntry) -> [Effect]
    /// Follows the text while it is typed; it is empty when Esc drops the entry.
    let follow: @Sendable (inout State, String) -> Void
    /// Enter: closes the entry, or keeps it open and says what is wrong with the text.
    let accept: @Sendable (inout State, TextEntry, Timestamp) -> [Effect]

    /// - Parameter objects: What the text belongs to, such as a headphone.
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
  public static func == (one: Self, other: Self) -> Bool { one.id == other.id }
  public func hash(into hasher: inout Hasher) { id.hash(into: &hasher) }
}

extension State {
  /// Keeps the entry open with its text, and says below it why Enter did not take it.
  mutating func complain(_ complaint: String, in entry: TextEntry) -> [Effect] {
    var entry = entry
    entry.complaint = complaint
    dialog = .entry(entry)
    return []
  }
}

extension Character {
  /// Whether the character holds a control code, such as an escape in a paste.
  fileprivate var isControl: Bool {
    unicodeScalars.contains { $0.properties.generalCategory == .control }
  }
}
