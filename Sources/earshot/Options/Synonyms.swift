import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

/// A command with synonyms, which its help lists.
///
/// A command line that the parser refuses is tried again with synonyms replaced, so that scripts
/// and completions keep one spelling.
protocol SynonymousCommand: ParsableCommand {
  static var synonyms: [Synonym] { get }
}

/// Other words for the beginning of a command line.
struct Synonym: ExpressibleByStringLiteral {
  /// The typed commands and values in order, such as "audio", "volume"; "*" is any word.
  let words: [String]
  /// The typed options, at any position, such as "--once".
  let options: [String]
  /// What follows the command's name; "*" is the word that was typed for it.
  let rest: [String]
  /// Whether the synonym is only suggested, because it may mean something else.
  let isSuggested: Bool
  /// The command of another program that is suggested, or nil for one of this program.
  private(set) var otherCommand: String?

  init(_ line: String, as rest: String = "", isSuggested: Bool = false) {
    let typed = line.split(separator: " ").map(String.init)
    words = typed.filter { !$0.hasPrefix("-") }
    options = typed.filter { $0.hasPrefix("-") }
    self.rest = rest.split(separator: " ").map(String.init)
    self.isSuggested = isSuggested
  }

  /// Creates a line for which the command of another program is suggested.
  init(_ line: String, suggesting command: String) {
    self.init(line, isSuggested: true)
    otherCommand = command
  }

  init(stringLiteral line: String) { self.init(line) }

  var text: String { (words + options).joined(separator: " ") }
}

/// A synonym, and the path of its command.
struct MeantCommand {
  let synonym: Synonym
  let path: [String]

  /// Returns the command in standard words, without the program's name, for the beginning of a line.
  func words(for line: ReadWords) -> [String] {
    let typed = zip(synonym.words, line.places).filter { $0.0 == "*" }.map { line.words[$0.1] }
    return path + synonym.rest.map { $0 == "*" ? typed.first ?? $0 : $0 }
  }

  /// The synonyms of all commands, the longest first.
  static let all = of(Earshot.self, below: [])
    .sorted { $0.synonym.words.count > $1.synonym.words.count }

  private static func of(
    _ command: any ParsableCommand.Type, below parents: [String]
  ) -> [MeantCommand] {
    let name = command.configuration.commandName
    let path = command == Earshot.self ? [] : parents + [name].compactMap(\.self)
    let own = (command as? any SynonymousCommand.Type)?.synonyms ?? []
    return own.map { MeantCommand(synonym: $0, path: path) }
      + command.configuration.subcommands.flatMap { of($0, below: path) }
  }

  func begins(_ line: ReadWords) -> Bool {
    guard line.places.count >= synonym.words.count else { return false }
    return zip(synonym.words, line.places).allSatisfy {
      $0 == "*" || $0 == line.words[$1].lowercased()
    }
      && synonym.options.allSatisfy(line.words.contains)
  }
}

/// A command line with the positions of the words that are neither options nor their values.
struct ReadWords {
  var words: [String]
  let places: [Int]

  /// Finds the positions; `hasValue` says whether an option is followed by its value.
  init(_ words: [String], hasValue: (String) -> Bool) {
    self.words = words
    var places: [Int] = []
    var index = 0
    while index < words.count, words[index] != "--" {
      let word = words[index]
      if !word.hasPrefix("-") || word.count == 1 {
        places.append(index)
      } else if index + 1 < words.count, hasValue(word) {
        index += 1
      }
      index += 1
    }
    self.places = places
  }
}

struct CommandNames {
  let path: [String]
  private let type: any ParsableCommand.Type

  static let program = CommandNames(path: [], type: Earshot.self)

  /// Returns the words, with those in standard form that the parser would take for a name.
  ///
  /// | typed | becomes |
  /// | --- | --- |
  /// | `eq ls`, and other synonyms of two words | `eq list` |
  /// | `volume up 10`, `volume 40 %` | `volume +10`, `volume 40%` |
  static func standardised(_ typed: [String]) -> [String] {
    let line = ReadWords(typed) { _ in false }
    if let joined = line.withAmountsJoined { return joined }
    guard line.places.starts(with: [0, 1]) else { return typed }
    let meant = MeantCommand.all.first {
      $0.synonym.words.count == 2 && !$0.synonym.isSuggested && $0.begins(line)
    }
    return meant.map(line.replacing) ?? typed
  }

  private var subcommands: [CommandNames] {
    type.configuration.subcommands.compactMap { type in
      type.configuration.commandName.map { CommandNames(path: path + [$0], type: type) }
    }
  }

  /// Returns the command line in standard words, or nil if nothing is known to correct.
  ///
  /// | typed | becomes |
  /// | --- | --- |
  /// | `unmute` | `mute off` |
  /// | `settings`, `vol 40`, `audio rout speakers` | the command with this beginning or plural |
  /// | `anc help` | `anc --help` |
  /// | `game-mode on`, `audio ceiling 70` | `setting game-mode on`, `audio setting ceiling 70` |
  /// | `set anc off` | `anc off` |
  /// | `touch left-hold` | `touch left hold` |
  /// | `--adapter virtual -V` | `--adapter virtual --version` |
  func corrected(_ typed: [String]) -> [String]? {
    var line = ReadWords(typed)
    guard let first = line.places.first else {
      guard let place = typed.firstIndex(of: "-V") else { return nil }
      line.words[place] = "--version"
      return line.words
    }
    if typed[first].lowercased() == "help" {
      var words = typed
      words.remove(at: first)
      return corrected(words).map { ["help"] + $0 }
    }
    if let bare = line.withoutVerb(before: subcommand(meantBy:)) { return corrected(bare) ?? bare }
    if let meant = MeantCommand.all.first(where: { !$0.synonym.isSuggested && $0.begins(line) }) {
      return line.replacing(meant)
    }
    if let split = line.withGestureSplit { return corrected(split) ?? split }
    var command = self
    for (depth, place) in line.places.enumerated() {
      let word = line.words[place]
      if depth > 0, word == "help" {
        line.words[place] = "--help"
        break
      }
      guard let next = command.subcommand(meantBy: word) else {
        if command.subcommands.isEmpty { continue }
        if command.path == ["audio"], (try? SoundSetting.named(word)) != nil {
          line.words.insert("setting", at: place)
        }
        break
      }
      line.words[place] = next.path.last ?? word
      command = next
    }
    if command.path == path, SettingID.known.contains(where: { $0.rawValue == typed[first] }) {
      line.words.insert("setting", at: first)
    }
    return line.words == typed ? nil : line.words
  }

  private func subcommand(meantBy word: String) -> CommandNames? {
    let subcommands = subcommands
    let names = subcommands.compactMap(\.path.last)
    let singular = word.hasSuffix("s") ? String(word.dropLast()) : word
    let name =
      names.first { $0 == word } ?? names.first { $0 == singular.lowercased() }
      ?? (word.count > 1 ? names.meant(by: word) : nil)
    return subcommands.first { $0.path.last == name }
  }
}

extension ReadWords {
  /// Finds the positions by the program's syntax, which is slow and read only if needed.
  init(_ words: [String]) {
    self.init(words) { CommandSyntax.program?.hasValue($0) == true }
  }

  /// The words with "up 10" as "+10", "down 10" as "-10" and "40 %" as "40%", or nil if unchanged.
  fileprivate var withAmountsJoined: [String]? {
    for (place, next) in zip(places, places.dropFirst()) where next == place + 1 {
      let joined: String? =
        switch (words[place].lowercased(), words[next]) {
        case ("up", let amount) where Int(amount) != nil: "+" + amount
        case ("down", let amount) where Int(amount) != nil: "\u{2212}" + amount
        case (let amount, "%") where Int(amount.withHyphen) != nil: amount + "%"
        default: nil
        }
      if let joined { return words[..<place] + [joined] + words[(next + 1)...] }
    }
    return nil
  }

  /// The words with "left-hold" as "left hold", or nil if unchanged.
  fileprivate var withGestureSplit: [String]? {
    guard places.count > 1, ["touch", "gestures"].contains(words[places[0]]),
      let hyphen = words[places[1]].firstIndex(of: "-"),
      SideArgument(argument: String(words[places[1]][..<hyphen])) != nil
    else { return nil }
    let (bud, gesture) = (words[places[1]][..<hyphen], words[places[1]][hyphen...].dropFirst())
    return words[..<places[1]] + [String(bud), String(gesture)] + words[(places[1] + 1)...]
  }

  /// Returns the words without a leading "set" or "get" before a command, or nil.
  fileprivate func withoutVerb(before command: (String) -> CommandNames?) -> [String]? {
    guard places.count > 1, ["set", "get"].contains(words[places[0]].lowercased()),
      command(words[places[1]]) != nil
    else { return nil }
    var words = words
    words.remove(at: places[0])
    return words
  }

  fileprivate func replacing(_ meant: MeantCommand) -> [String] {
    let replaced = places.prefix(meant.synonym.words.count)
    var options = meant.synonym.options
    var result: [String] = []
    for (place, word) in words.enumerated() {
      if place == replaced.first { result += meant.words(for: self) }
      if replaced.contains(place) { continue }
      if let index = options.firstIndex(of: word) {
        options.remove(at: index)
        continue
      }
      result.append(word)
    }
    return result
  }
}
