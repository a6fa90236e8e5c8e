import ArgumentParser
import JSON

/// The commands and options of the program, as the argument parser describes them.
///
/// ```swift
/// let reading = CommandSyntax.program?.read(["eq", "save", "evening"])
/// reading?.command.name  // "eq save"
/// ```
struct CommandSyntax {
  /// An option, or an argument without a name.
  struct Argument {
    /// The option's names, "--device" and "-d"; empty: it is known by its place.
    var options: [String]
    /// Whether the next word is its value.
    var hasValue: Bool
    /// The words that it takes; empty where they cannot be listed.
    var values: [String]
    /// Its line in the help.
    var help: String
    /// The name of its value in the usage, "id" for "<id>".
    var valueName: String
  }

  /// The words that call it, the program's name first: "earshot", "eq", "save".
  private(set) var path: [String]
  /// Its options and arguments, in the order of the help.
  private(set) var arguments: [Argument]
  /// The commands below it.
  private(set) var subcommands: [CommandSyntax]
  /// The command lines of the examples in its help.
  private(set) var examples: [String]
  /// The name of the subcommand that runs when none is named.
  private var usual: String?

  /// The syntax of the whole program; nil: the parser does not describe itself as expected.
  static let program = (try? JSON(parsing: Earshot._dumpHelp().utf8))?["command"].map {
    CommandSyntax($0, below: [])
  }

  private init(_ json: JSON, below parents: [String]) {
    let path = parents + [json["commandName"]?.text ?? ""]
    self.path = path
    arguments = (json["arguments"]?.elements ?? []).map(Argument.init)
    subcommands = (json["subcommands"]?.elements ?? []).map { CommandSyntax($0, below: path) }
    usual = json["defaultSubcommand"]?.text
    examples = (json["discussion"]?.text ?? "").split(separator: "\n").compactMap { line in
      let example = line.drop { $0 == " " }
      // Remarks stand behind two spaces.
      let end = example.firstRange(of: "  ")?.lowerBound ?? example.endIndex
      return example.hasPrefix("earshot ") ? String(example[..<end]) : nil
    }
  }

  /// The words that call it, without the program's name.
  var name: String { path.dropFirst().joined(separator: " ") }

  /// Its line of help: "earshot eq save --help".
  var help: String { (path + ["--help"]).joined(separator: " ") }

  /// Every option, also those with one letter.
  var options: [String] { arguments.flatMap(\.options) }

  /// The subcommand that runs when none is named, under this one's name.
  fileprivate var usualCommand: CommandSyntax? {
    var command = subcommands.first { $0.path.last == usual }
    command?.path = path
    return command
  }

  /// What shows how it is called: an example with arguments, or its help.
  var advice: String {
    let bare = path.joined(separator: " ")
    return examples.first { $0.hasPrefix(bare + " ") }.map { "for example: \($0)" }
      ?? "`\(help)` shows how it is used"
  }

  /// Whether an option takes the next word as its value, in any command.
  func hasValue(_ option: String) -> Bool {
    if option.contains("=") { return false }
    return argument(option)?.hasValue ?? subcommands.contains { $0.hasValue(option) }
  }

  /// The option of this name; nil: it has none.
  func argument(_ option: String) -> Argument? {
    arguments.first { $0.options.contains(option) }
  }

  /// Reads a command line as far as it can be known: which command it calls, and which words are
  /// none.
  ///
  /// Nothing is run, and values are not checked.
  func read(_ words: [String]) -> CommandReading {
    var reading = CommandReading(command: self)
    var rest = words[...]
    while let word = rest.popFirst(), word != "--" {
      if word.hasPrefix("-"), word.count > 1 {
        let name = word.prefix { $0 != "=" }
        // Options of a command may also precede it, and the other way round.
        let known =
          reading.command.argument(String(name)) ?? argument(String(name))
          ?? reading.command.usualCommand?.argument(String(name))
        if known == nil, word.hasPrefix("--") { reading.unknownOption = String(name) }
        if known?.hasValue == true, name.count == word.count { rest = rest.dropFirst() }
      } else if let next = reading.command.subcommands.first(where: { $0.path.last == word }) {
        reading.command = next
      } else if !reading.command.subcommands.isEmpty {
        guard let usual = reading.command.usualCommand else {
          reading.unknownCommand = word
          return reading
        }
        reading.imply(usual)
      }
    }
    if let usual = reading.command.usualCommand { reading.imply(usual) }
    return reading
  }
}

/// The result of reading a command line.
struct CommandReading {
  /// The command that it calls.
  var command: CommandSyntax
  /// The commands that could stand in place of the first word of an implied one.
  private(set) var alternatives: [String] = []
  /// The last word in the place of a command that does not exist.
  var unknownCommand: String?
  /// The last option that the command does not have.
  var unknownOption: String?

  init(command: CommandSyntax) { self.command = command }

  /// Continues with the command that runs when none is named.
  fileprivate mutating func imply(_ usual: CommandSyntax) {
    alternatives = command.subcommands.compactMap(\.path.last)
    command = usual
  }
}

extension CommandSyntax.Argument {
  fileprivate init(_ json: JSON) {
    options = (json["names"]?.elements ?? []).compactMap { name in
      name["name"]?.text.map { (name["kind"]?.text == "short" ? "-" : "--") + $0 }
    }
    hasValue = json["kind"]?.text == "option"
    values = (json["allValues"]?.elements ?? []).compactMap(\.text)
    help = json["abstract"]?.text ?? ""
    valueName = json["valueName"]?.text ?? ""
  }
}
