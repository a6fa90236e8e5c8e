import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

/// A word in the place of a headphone that names something else: `status battery`.
///
/// A search for a headphone of that name would take seconds, and `watch` would wait for ever.
/// `--device` takes any name.
struct ReservedWord {
  let word: String

  init(_ word: String) { self.word = word.lowercased() }

  /// Throws a `ValidationError` with the probably intended line if the word is reserved.
  func check(of command: any ParsableCommand.Type) throws {
    guard let advice else { return }
    let name = command.configuration.commandName ?? ""
    throw ValidationError("\(name) takes a headphone, not \"\(displayable(word))\"\n\(advice)")
  }

  var advice: String? {
    if FormatArgument.allValueStrings.contains(word) {
      return "to do that: earshot watch --format \(word)"
    }
    if Earshot.configuration.allCommandNames.contains(word) {
      return "to do that: earshot \(word)"
    }
    if Part.allCases.map(\.name).contains(word) {
      return "to do that: earshot battery \(word)"
    }
    return nil
  }
}

extension CommandConfiguration {
  /// The names of the commands below this one.
  fileprivate var allCommandNames: [String] {
    (subcommands + groupedSubcommands.flatMap(\.subcommands))
      .compactMap { $0.configuration.commandName }
  }
}
