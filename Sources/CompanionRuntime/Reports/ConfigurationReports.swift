internal import Companion
internal import HeadphoneProtocols
package import JSON

package struct ConfigurationKeysReport: ObjectReport {
  package struct Key: JSONObject, Sendable {
    private let name: String
    private let value: String?
    private let values: String
    private let unlessGiven: String
    private let words: [String]

    /// Creates a key.
    ///
    /// - Parameters:
    ///   - unlessGiven: The default, in words, or an empty string.
    ///   - words: The accepted words; empty if they cannot be listed.
    package init(
      _ name: String, value: String?, values: String, unlessGiven: String, words: [String]
    ) {
      self.name = name
      self.value = value
      self.values = values
      self.unlessGiven = unlessGiven
      self.words = words
    }

    fileprivate var line: (String, String) { (name, displayable(value ?? "--")) }

    fileprivate var text: String {
      let lines = ["\(name) = \(displayable(value ?? "--"))", values]
      return (lines + (unlessGiven.isEmpty ? [] : ["unless given: \(unlessGiven)"]))
        .joined(separator: "\n")
    }

    package static let properties: [Property<Self>] = [
      Property("key", \.name),
      Property("value", \.value, "as the file has it; null: none"),
      Property("takes", \.values, "in words"),
      Property("default", { $0.unlessGiven.isEmpty ? nil : $0.unlessGiven }, "without it"),
      Property(
        "words", { $0.words.isEmpty ? nil : $0.words },
        "that it takes; null: they cannot be listed"),
    ]
  }

  private let keys: [Key]

  package init(_ keys: [Key]) { self.keys = keys }

  package var text: String {
    guard keys.count == 1, let key = keys.first else { return table(keys.map(\.line)) }
    return key.text
  }

  package static let schemaName = SchemaName("config-keys", "`earshot config keys --json`")

  package static let properties: [Property<Self>] = [Property("keys", \.keys)]
}

package struct ThemesReport: ObjectReport {
  private let chosen: String
  private let names: [String]

  /// Creates the report; `chosen` is listed last if it is not one of `names`.
  package init(chosen: String, among names: [String]) {
    self.chosen = chosen
    self.names = names.contains(chosen) ? names : names + [chosen]
  }

  package var text: String {
    names.map { ($0 == chosen ? "* " : "  ") + $0 }.joined(separator: "\n")
  }

  package static let schemaName = SchemaName("config-themes", "`earshot config themes --json`")

  package static let properties: [Property<Self>] = [
    Property("theme", \.chosen, "the chosen one"),
    Property("themes", \.names),
  ]
}

/// The report of `earshot config check`.
package struct ConfigurationReport: ObjectReport {
  package struct Mistake: JSONObject, Sendable {
    private let line: Int
    private let what: String

    /// Creates a mistake in a line, counted from 1.
    package init(line: Int, _ what: String) {
      self.line = line
      self.what = what
    }

    /// Returns the mistake in the format of compilers, so that editors can jump to it.
    fileprivate func text(in path: String) -> String { "\(path):\(line): \(what)" }

    package static let properties: [Property<Self>] = properties(of: \.self)

    fileprivate static func properties<Root>(
      of mistake: @escaping @Sendable (Root) -> Mistake
    ) -> [Property<Root>] {
      [
        Property("line", { mistake($0).line }, in: .atLeast(1)),
        Property("what", { mistake($0).what }),
      ]
    }
  }

  package struct ModelMistake: JSONObject, Sendable {
    private let path: String
    private let mistake: Mistake

    package init(_ mistake: Mistake, in path: String) {
      self.path = path
      self.mistake = mistake
    }

    fileprivate var text: String { mistake.text(in: path) }

    package static let properties =
      [Property<Self>("path", \.path)] + Mistake.properties(of: \.mistake)
  }

  private let path: String
  private let mistakes: [Mistake]
  private let notes: [Mistake]
  private let models: [ModelMistake]
  private let drivers: [ModelMistake]

  /// Creates a report; `notes` are about lines without a mistake.
  package init(
    _ path: String, _ mistakes: [Mistake], notes: [Mistake] = [], models: [ModelMistake],
    drivers: [ModelMistake]
  ) {
    self.path = path
    self.mistakes = mistakes
    self.notes = notes
    self.models = models
    self.drivers = drivers
  }

  package var isEmpty: Bool { mistakes.isEmpty && models.isEmpty && drivers.isEmpty }

  package var text: String {
    let found = mistakes.map { $0.text(in: path) } + (models + drivers).map(\.text)
    let lines = isEmpty ? ["\(path): ok"] : found
    return (lines + notes.map { $0.text(in: path) }).joined(separator: "\n")
  }

  package static let schemaName = SchemaName("config-check", "`earshot config check --json`")

  package static let properties: [Property<Self>] = [
    Property("path", \.path),
    Property("mistakes", \.mistakes),
    Property("models", \.models, "mistakes in model files"),
    Property("drivers", \.drivers, "mistakes in driver files"),
    Property("notes", \.notes, "changes that lines without a mistake make to standard keys"),
  ]
}
