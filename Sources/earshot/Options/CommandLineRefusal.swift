import ArgumentParser
import CompanionRuntime
import HeadphoneProtocols

/// The reason why a command line runs no command.
enum CommandLineRefusal: Error {
  /// Help, the version or completions were asked for: the text is data, and the exit status 0.
  case help(String)
  /// The command line is wrong: what is, and what would be right; the exit status is 64.
  case wrong(FailureReport)
}

extension Earshot {
  /// The command of a command line.
  ///
  /// ```swift
  /// try await Earshot.command(of: ["anc", "next"])  // an ANCCommand
  /// try await Earshot.command(of: ["ank"])  // throws: there is no command "ank"; …
  /// ```
  ///
  /// - Parameter words: without the program's name.
  /// - Throws: ``CommandLineRefusal``.
  static func command(
    of words: [String]
  ) async throws(CommandLineRefusal) -> any ParsableCommand {
    try await read(words).command
  }

  /// As ``command(of:)``, without completions that wait.
  static func parsed(_ words: [String]) throws -> any ParsableCommand {
    let words = words.map(\.withMinusSign)
    do { return try parseAsRoot(words) } catch {
      guard !exitCode(for: error).isSuccess,
        let better = CommandSyntax.program?.corrected(words)
      else { throw error }
      return try parseAsRoot(better)
    }
  }

  /// The command of a command line, and the words that it was read from: those that were typed, or
  /// where the parser refuses them, the program's own for them.
  static func read(
    _ typed: [String]
  ) async throws(CommandLineRefusal) -> (command: any ParsableCommand, words: [String]) {
    let words = typed.map(\.withMinusSign)
    if words.contains("help"), let syntax = CommandSyntax.program {
      let line = ReadWords(words, by: syntax)
      if let first = line.places.first, words[first] == "help" {
        let topic = syntax.corrected(words) ?? words
        let reading = syntax.read(topic.filter { $0 != "help" })
        guard let unknown = reading.unknownCommand else {
          return try await read(["help"] + reading.command.path.dropFirst(), orElse: nil)
        }
        throw .wrong(reading.lacks(command: unknown, in: words))
      }
    }
    return try await read(words) { CommandSyntax.program?.corrected(words) }
  }

  /// - Parameter correct: the line in other words, if the parser refuses it.
  private static func read(
    _ words: [String], orElse correct: (() -> [String]?)?
  ) async throws(CommandLineRefusal) -> (command: any ParsableCommand, words: [String]) {
    do {
      return (try await asyncParseAsRoot(words), words)
    } catch {
      if !exitCode(for: error).isSuccess, let better = correct?() {
        return try await read(better, orElse: nil)
      }
      throw refusal(error, of: words)
    }
  }

  /// The refusal that an error of the parser, or of one of its own commands such as `help`, amounts
  /// to.
  static func refusal(_ error: any Error, of words: [String]) -> CommandLineRefusal {
    let code = exitCode(for: error)
    guard !code.isSuccess else { return .help(HelpText(fullMessage(for: error)).text) }
    return .wrong(UsageMessage(message(for: error), of: words).failure)
  }
}

extension String {
  /// The word, a negative number with the sign for minus: a hyphen would make it an option.
  fileprivate var withMinusSign: String {
    guard hasPrefix("-"), dropFirst().first?.isNumber == true else { return self }
    return replacing("-", with: "\u{2212}")
  }

  /// The number as it was typed, from ``withMinusSign``.
  var withHyphen: String { replacing("\u{2212}", with: "-") }
}

/// A message of the argument parser, to be said in two lines.
///
/// | message | becomes |
/// | --- | --- |
/// | unknown option | "anc has no option --jsn; did you mean --json?" |
/// | unknown command | "there is no command "ank"; did you mean "anc"?" |
/// | invalid value | "anc takes no "of"", and the values that it takes |
/// | missing value, argument | what is missing, and an example |
struct UsageMessage {
  private let message: String
  private let words: [String]

  init(_ message: String, of words: [String]) {
    self.message = message
    self.words = words
  }

  var failure: FailureReport {
    var failure = FailureReport(what: message, advice: "", code: ExitStatus.usage.rawValue)
    guard let syntax = CommandSyntax.program else { return failure }
    let reading = syntax.read(words)
    let command = reading.command
    failure.advice = command.advice
    if let end = message.firstIndex(of: "\n"), !message.contains("is invalid for") {
      failure.what = String(message[..<end])
      failure.advice = String(message[message.index(after: end)...])
    } else if let option = reading.unknownOption {
      failure = reading.lacks(option: option, in: words)
    } else if let unknown = reading.unknownCommand {
      failure = reading.lacks(command: unknown, in: words)
    } else if let (word, place) = parts("The value '", "' is invalid for '") {
      (failure.what, failure.advice) = refusal(of: word, in: place, by: reading)
    } else if let (option, _) = parts("Unknown option '", "'") {
      failure = reading.lacks(option: option, in: words)
    } else if let (word, _) = parts("Unexpected argument '", "'") {
      failure.what = "\(command.name) takes no \"\(displayable(word.withHyphen))\""
      failure.what += guess(word, among: reading.alternatives)
    } else if let (place, _) = parts("Missing value for '", "'") {
      failure.what = "\(place.prefix { $0 != " " }) needs a value"
      failure.advice = "`\(command.help)` explains it"
    } else if let (place, _) = parts("Missing expected argument '", "'") {
      failure.what = "\(command.name) needs \(place)"
    }
    if message.hasPrefix("Unexpected argument"), !failure.what.contains("did you mean"),
      let meant = syntax.suggestion(for: words)
    {
      failure.advice = "to do that: earshot \(meant.words.joined(separator: " "))"
    }
    return failure
  }

  /// The text between two texts of the message, and what follows the second; nil: they are not in
  /// it.
  private func parts(_ start: String, _ middle: String) -> (String, String)? {
    guard message.hasPrefix(start) else { return nil }
    let rest = message.dropFirst(start.count)
    guard let range = rest.firstRange(of: middle) else { return nil }
    return (String(rest[..<range.lowerBound]), String(rest[range.upperBound...]))
  }

  /// What is wrong with a value, and what would be right.
  ///
  /// - Parameters:
  ///   - word: as it was typed.
  ///   - place: "--format <format>': why", or "<change>'. Please …".
  ///   - reading: the command that is called.
  private func refusal(
    of word: String, in place: String, by reading: CommandReading
  ) -> (what: String, advice: String) {
    let command = reading.command
    let name = String(place.prefix { $0 != "'" })
    let argument = argument(name, of: command)
    let values = argument?.values ?? []
    let isOption = name.hasPrefix("-")
    let subject = isOption ? String(name.prefix { $0 != " " }) : command.name
    let shown = displayable(word.withHyphen)
    let several = values.begun(by: word)
    var what = "\(subject) takes no \"\(shown)\""
    if several.count > 1 {
      what = "\"\(shown)\" can mean \(several.joined(separator: " or "))"
    } else {
      what += guess(word, among: values + (isOption ? [] : reading.alternatives))
    }
    if !values.isEmpty { return (what, "it takes \(values.joined(separator: ", "))") }
    // The parser adds the reason of a value that was refused with one.
    if let colon = place.firstRange(of: "': ") { return (what, String(place[colon.upperBound...])) }
    return (what, command.advice)
  }

  /// "; did you mean …?", or nothing where no name is near.
  private func guess(_ word: String, among names: [String]) -> String {
    names.nearest(to: word).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// The argument of a command by its place in the usage.
  ///
  /// - Parameter place: "--format <format>", or "<id>".
  private func argument(_ place: String, of command: CommandSyntax) -> CommandSyntax.Argument? {
    guard place.hasPrefix("-") else {
      return command.arguments.first { $0.options.isEmpty && "<\($0.valueName)>" == place }
    }
    return command.argument(String(place.prefix { $0 != " " }))
  }
}

extension CommandSyntax {
  /// The command that a line may have meant, where that is not certain enough to run it.
  fileprivate func suggestion(for words: [String]) -> MeantCommand? {
    let line = ReadWords(words, by: self)
    return MeantCommand.all.first { $0.synonym.isSuggested && $0.begins(line) }
  }
}

extension CommandReading {
  /// The report of a command that does not exist.
  fileprivate func lacks(command word: String, in words: [String]) -> FailureReport {
    let names = command.subcommands.compactMap(\.path.last)
    let others =
      command.name.isEmpty
      ? MeantCommand.all.filter { $0.synonym.words.count == 1 }.map(\.synonym.text) : []
    let near = names.nearest(to: word) ?? names.begun(by: word).first ?? others.nearest(to: word)
    let guess = near.map { "; did you mean \"\($0)\"?" } ?? ""
    return report("there is no command \"\(displayable(word))\"\(guess)", in: words)
  }

  /// The report of an option that the command does not have.
  fileprivate func lacks(option: String, in words: [String]) -> FailureReport {
    let near = command.options.filter { $0.hasPrefix("--") }.nearest(to: option)
    let guess = near.map { "; did you mean \($0)?" } ?? ""
    let owner = command.name.isEmpty ? "there is" : "\(command.name) has"
    return report("\(owner) no option \(displayable(option))\(guess)", in: words)
  }

  private func report(_ what: String, in words: [String]) -> FailureReport {
    let meant = CommandSyntax.program?.suggestion(for: words)
    return FailureReport(
      what: what,
      advice: meant.map { "to do that: earshot \($0.words.joined(separator: " "))" }
        ?? "`\(command.help)` lists them", code: ExitStatus.usage.rawValue)
  }
}

/// A page of help, with the options that all commands have short in the usage and at the end.
struct HelpText {
  let text: String

  /// - Parameter page: a page of help; anything else, such as a script, stays as it is.
  init(_ page: String) {
    guard page.hasPrefix("OVERVIEW: ") else {
      text = page
      return
    }
    let shortened = Self.shortened(Self.withoutName(page))
    var blocks = shortened.split(separator: "\n\n").map { $0.trimmingSuffix { $0.isNewline } }
    let title = CommonOptions.title.uppercased() + ":\n"
    if let index = blocks.firstIndex(where: { $0.hasPrefix(title) }) {
      let block = blocks.remove(at: index)
      // A line about `earshot help` ends the pages of groups.
      let isLast = blocks.last?.hasPrefix("  See ") != true
      let place = isLast ? blocks.count : blocks.count - 1
      blocks.insert(block, at: place)
      let synonyms = Self.synonyms(shortened)
      if !synonyms.isEmpty {
        blocks.insert("ALSO:\n  " + synonyms.joined(separator: ", "), at: place)
      }
    }
    text = blocks.joined(separator: "\n\n")
  }

  /// What else calls the command of a page, by the words of its usage.
  private static func synonyms(_ page: String) -> [String] {
    guard let path = usage(page).map(path) else { return [] }
    return MeantCommand.all.filter { $0.path == path && !$0.synonym.isSuggested }
      .map(\.synonym.text)
  }

  private static func usage(_ page: String) -> Substring? {
    page.split(separator: "\n").first { $0.hasPrefix("USAGE: earshot ") }
  }

  /// The names of the commands in a usage, without the program's.
  private static func path(_ usage: Substring) -> [String] {
    usage.split(separator: " ").dropFirst(2).prefix { $0.first?.isLetter == true }.map(String.init)
  }

  /// The page of a group with the usage of its default subcommand, which needs no name, first.
  private static func withoutName(_ page: String) -> String {
    guard let usage = usage(page), usage.hasSuffix(" <subcommand>") else { return page }
    var group: any ParsableCommand.Type = Earshot.self
    for name in path(usage) {
      guard let next = group.configuration.subcommands.first(where: { $0._commandName == name })
      else { return page }
      group = next
    }
    guard let subcommand = group.configuration.defaultSubcommand else { return page }
    let line = Earshot.usageString(for: subcommand).split { $0.isWhitespace }
      .joined(separator: " ")
    guard let name = line.firstRange(of: " \(subcommand._commandName)") else { return page }
    let bare = usage.dropLast(" <subcommand>".count)
    let indented = "       " + usage.dropFirst("USAGE: ".count)
    return page.replacing(usage, with: "\(bare)\(line[name.upperBound...])\n\(indented)")
  }

  /// The page with the common options of its usage as "[<options>]".
  private static func shortened(_ page: String) -> String {
    guard let first = page.firstRange(of: "[--device <id>]"),
      let last = page.firstRange(of: "[--no-color]"), first.lowerBound < last.lowerBound
    else { return page }
    return page[..<first.lowerBound] + "[<options>]" + page[last.upperBound...]
  }
}

extension StringProtocol {
  /// The text without the characters at its end that pass the test.
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex, isTrimmed(self[index(before: end)]) { end = index(before: end) }
    return self[..<end]
  }
}
