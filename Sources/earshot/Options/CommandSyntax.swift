import ArgumentParser
import JSON

/// The commands and options of the program, as described by the argument parser.
struct CommandSyntax {
  struct Argument {
    /// The option's names, such as "--device" and "-d"; empty for a positional argument.
    var options: [String]
    var hasValue: Bool
    var values: [String]
    var help: String
    /// The name of the value in the usage: "id" for "<id>".
    var valueName: String
  }

  private(set) var path: [String]
  private(set) var arguments: [Argument]
  private(set) var subcommands: [CommandSyntax]
  private(set) var examples: [String]
  private var usual: String?

  /// The syntax of the whole program, or nil if the parser's description has an unexpected form.
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
      // Remarks follow after two spaces.
      let end = example.firstRange(of: "  ")?.lowerBound ?? example.endIndex
      return example.hasPrefix("earshot ") ? String(example[..<end]) : nil
    }
  }

  var name: String { path.dropFirst().joined(separator: " ") }

  var help: String { (path + ["--help"]).joined(separator: " ") }

  var options: [String] { arguments.flatMap(\.options) }

  /// The default subcommand, under the name of this command.
  fileprivate var usualCommand: CommandSyntax? {
    var command = subcommands.first { $0.path.last == usual }
    command?.path = path
    return command
  }

  var advice: String {
    let bare = path.joined(separator: " ")
    return examples.first { $0.hasPrefix(bare + " ") }.map { "for example: \($0)" }
      ?? "`\(help)` shows how it is used"
  }

  func hasValue(_ option: String) -> Bool {
    if option.contains("=") { return false }
    return argument(option)?.hasValue ?? subcommands.contains { $0.hasValue(option) }
  }

  func argument(_ option: String) -> Argument? {
    arguments.first { $0.options.contains(option) }
  }

  /// Reads a command line without running it or checking values.
  func read(_ words: [String]) -> CommandReading {
    var reading = CommandReading(command: self)
    var rest = words[...]
    while let word = rest.popFirst(), word != "--" {
      if word.hasPrefix("-"), word.count > 1 {
        let name = word.prefix { $0 != "=" }
        // Options of a command may also precede it, and vice versa.
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

struct CommandReading {
  var command: CommandSyntax
  private(set) var alternatives: [String] = []
  /// The word in place of a command, if there is no such command.
  var unknownCommand: String?
  var unknownOption: String?

  init(command: CommandSyntax) { self.command = command }

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
