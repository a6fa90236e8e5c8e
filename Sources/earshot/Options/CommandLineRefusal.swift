import ArgumentParser
import CompanionRuntime
import HeadphoneProtocols

enum CommandLineRefusal: Error {
  /// Requested help, version or completions: the text is data, and the exit status 0.
  case help(String)
  /// A wrong command line, with the mistake and the correction; the exit status is 64.
  case wrong(FailureReport)
}

extension Earshot {
  /// Returns the command of the words, or throws a ``CommandLineRefusal``.
  static func command(
    of words: [String]
  ) async throws(CommandLineRefusal) -> any ParsableCommand {
    try await read(words).command
  }

  /// Returns the same as ``command(of:)``, without asynchronous completions.
  static func parsed(_ words: [String]) throws -> any ParsableCommand {
    let words = words.map(\.withMinusSign)
    do { return try parseAsRoot(words) } catch {
      guard !exitCode(for: error).isSuccess,
        let better = CommandNames.program.corrected(words)
      else { throw error }
      return try parseAsRoot(better)
    }
  }

  /// Returns the command of a command line, with the words as typed or else as corrected.
  static func read(
    _ typed: [String]
  ) async throws(CommandLineRefusal) -> (command: any ParsableCommand, words: [String]) {
    let words = CommandNames.standardised(typed.map(\.withMinusSign))
    if words.contains("help"), let syntax = CommandSyntax.program {
      let line = ReadWords(words)
      if let first = line.places.first, words[first] == "help" {
        let topic = CommandNames.program.corrected(words) ?? words
        let reading = syntax.read(topic.filter { $0 != "help" })
        guard let unknown = reading.unknownCommand else {
          return try await read(["help"] + reading.command.path.dropFirst(), orElse: nil)
        }
        throw .wrong(reading.lacks(command: unknown, in: words))
      }
    }
    return try await read(words) { CommandNames.program.corrected(words) }
  }

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

  static func refusal(_ error: any Error, of words: [String]) -> CommandLineRefusal {
    let code = exitCode(for: error)
    guard !code.isSuccess else { return .help(HelpText(fullMessage(for: error)).text) }
    return .wrong(UsageMessage(message(for: error), of: words).failure)
  }
}

extension String {
  /// The word, with a minus sign for the hyphen of a negative number, which would be an option.
  fileprivate var withMinusSign: String {
    guard hasPrefix("-"), dropFirst().first?.isNumber == true else { return self }
    return replacing("-", with: "\u{2212}")
  }

  /// The number as it was typed, with a hyphen again.
  var withHyphen: String { replacing("\u{2212}", with: "-") }
}

/// An error message of the argument parser, rewritten as what is wrong and what would be right.
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
      let advice = MeantCommand.advice(for: words)
    {
      failure.advice = advice
    }
    return failure
  }

  /// Returns the text between `start` and `middle` and the text after `middle`, or nil.
  private func parts(_ start: String, _ middle: String) -> (String, String)? {
    guard message.hasPrefix(start) else { return nil }
    let rest = message.dropFirst(start.count)
    guard let range = rest.firstRange(of: middle) else { return nil }
    return (String(rest[..<range.lowerBound]), String(rest[range.upperBound...]))
  }

  /// Returns what is wrong with a value, and what would be right.
  ///
  /// - Parameter place: "--format <format>': why", or "<change>'. Please …".
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
    // The parser appends the reason of a transform that refused the value.
    if let colon = place.firstRange(of: "': ") { return (what, String(place[colon.upperBound...])) }
    return (what, command.advice)
  }

  private func guess(_ word: String, among names: [String]) -> String {
    names.nearest(to: word).map { "; did you mean \"\($0)\"?" } ?? ""
  }

  private func argument(_ place: String, of command: CommandSyntax) -> CommandSyntax.Argument? {
    guard place.hasPrefix("-") else {
      return command.arguments.first { $0.options.isEmpty && "<\($0.valueName)>" == place }
    }
    return command.argument(String(place.prefix { $0 != " " }))
  }
}

extension MeantCommand {
  /// Returns advice with the command that a line may have meant, which is not certain enough to run.
  fileprivate static func advice(for words: [String]) -> String? {
    let line = ReadWords(words)
    let meant = all.first { $0.synonym.isSuggested && $0.begins(line) }
    return meant.map { meant in
      let words = ["earshot"] + meant.words(for: line).map(displayable)
      return "to do that: \(meant.synonym.otherCommand ?? words.joined(separator: " "))"
    }
  }
}

extension CommandReading {
  fileprivate func lacks(command word: String, in words: [String]) -> FailureReport {
    let names = command.subcommands.compactMap(\.path.last)
    let others =
      command.name.isEmpty
      ? MeantCommand.all.filter { $0.synonym.words.count == 1 }.map(\.synonym.text) : []
    let near = names.nearest(to: word) ?? names.begun(by: word).first ?? others.nearest(to: word)
    let guess = near.map { "; did you mean \"\($0)\"?" } ?? ""
    return report("there is no command \"\(displayable(word))\"\(guess)", in: words)
  }

  fileprivate func lacks(option: String, in words: [String]) -> FailureReport {
    let near = command.options.filter { $0.hasPrefix("--") }.nearest(to: option)
    let guess = near.map { "; did you mean \($0)?" } ?? ""
    let owner = command.name.isEmpty ? "there is" : "\(command.name) has"
    return report("\(owner) no option \(displayable(option))\(guess)", in: words)
  }

  private func report(_ what: String, in words: [String]) -> FailureReport {
    let unknown = unknownCommand.flatMap { command.name.isEmpty ? ReservedWord($0).advice : nil }
    return FailureReport(
      what: what,
      advice: MeantCommand.advice(for: words) ?? unknown ?? "`\(command.help)` lists them",
      code: ExitStatus.usage.rawValue)
  }
}

/// A page of help, with the common options abbreviated in the usage and described at the end.
struct HelpText {
  let text: String

  /// Creates help text; any other text, such as a script, is kept unchanged.
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
      // The pages of groups end with a line about `earshot help`.
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

  private static func synonyms(_ page: String) -> [String] {
    guard let path = usage(page).map(path) else { return [] }
    return MeantCommand.all.filter { $0.path == path && !$0.synonym.isSuggested }
      .map(\.synonym.text)
  }

  private static func usage(_ page: String) -> Substring? {
    page.split(separator: "\n").first { $0.hasPrefix("USAGE: earshot ") }
  }

  private static func path(_ usage: Substring) -> [String] {
    usage.split(separator: " ").dropFirst(2).prefix { $0.first?.isLetter == true }.map(String.init)
  }

  /// Adds the usage of a group's default subcommand, whose name can be omitted.
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

  /// Abbreviates the common options in the usage as "[<options>]".
  private static func shortened(_ page: String) -> String {
    guard let first = page.firstRange(of: "[--device <id>]"),
      let last = page.firstRange(of: "[--no-color]"), first.lowerBound < last.lowerBound
    else { return page }
    return page[..<first.lowerBound] + "[<options>]" + page[last.upperBound...]
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> SubSequence {
    var end = endIndex
    while end > startIndex, isTrimmed(self[index(before: end)]) { end = index(before: end) }
    return self[..<end]
  }
}
