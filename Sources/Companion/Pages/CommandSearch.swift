package import HeadphoneProtocols

extension UserCommand {
  package static let commands = UserCommand(
    "commands", keys: [":"], "find a command or setting by its words, and run it",
    shortSummary: "find a command", reach: .everyPage, hint: 190, label: "Commands"
  ) { state, _ in
    // The help is such a list as well.
    if state.page.kind == .help { state.page = state.page.behind }
    state.dialog = .commands(CommandSearch())
    return []
  }
}

/// The dialog that finds commands and settings by words, listing ``State/foundCommands(_:)``.
package struct CommandSearch: Hashable, Sendable {
  package internal(set) var entry: TextEntry
  package internal(set) var line = 0

  init() { entry = TextEntry(.findCommand) }
}

extension TextEntry.Purpose {
  fileprivate static let findCommand = Self("COMMANDS", "Words of a command or setting.") {
    state, _, _ in
    state.dialog = nil
    return []
  }
}

/// A line of ``CommandSearch``: a command, or a value of a setting of the selected headphone.
package struct FoundCommand: Hashable, Sendable {
  package enum Target: Hashable, Sendable {
    case command(UserCommand)
    case choice(SettingID, String)
    /// Switches a setting, or goes to its row if it has many values.
    case setting(SettingID)
  }

  package let target: Target
  /// The displayed words, not sanitised where they are a headphone's.
  package let text: String
  package let value: String?
  package let availability: Availability
  /// Further words that find the line.
  let otherWords: String
}

extension State {
  /// Returns the commands and settings that have all words of `query`, the best matches first.
  ///
  /// Without words, these are all commands of the page and the main page, the settings of the
  /// headphone, and the commands of other pages, in this order.
  package func foundCommands(_ query: String) -> [FoundCommand] {
    let words = query.lowercased().split(separator: " ").map(String.init)
    let all = commandsToFind
    guard !words.isEmpty else { return all }
    return all.compactMap { line in line.distance(from: words).map { (line, $0) } }
      .sorted { $0.1 < $1.1 }.map(\.0)
  }

  private var commandsToFind: [FoundCommand] {
    let kind = page.kind
    let commands = UserCommand.allCases.filter { !$0.isForKeysAlone }
    let here = commands.filter { $0.isOn(kind) }
    let onMain = commands.filter { !$0.isOn(kind) && $0.isOn(.main) }
    let elsewhere = commands.filter { !$0.isOn(kind) && !$0.isOn(.main) }
    func lines(_ commands: [UserCommand], on kind: PageKind) -> [FoundCommand] {
      commands.map { command in
        FoundCommand(
          target: .command(command), text: command.summary(on: kind, in: self), value: nil,
          availability: availability(of: command, behind: page),
          otherWords: "\(command.name.replacing("-", with: " ")) \(command.label(in: self))")
      }
    }
    return lines(here, on: kind) + lines(onMain, on: .main) + settingsToFind
      + lines(elsewhere, on: .main)
  }

  private var settingsToFind: [FoundCommand] {
    guard let headphone = headphones.selected else { return [] }
    return (headphone.capabilities?.controlRows ?? []).flatMap { row -> [FoundCommand] in
      let setting = row.declaration
      func line(_ target: FoundCommand.Target, _ text: String, _ value: String?) -> FoundCommand {
        FoundCommand(
          target: target, text: text, value: value, availability: availability(of: setting.id),
          otherWords: "\(setting.id.rawValue.replacing("-", with: " ")) \(setting.label)")
      }
      let shown = headphone.settings[setting.id].shown
      switch setting.kind {
      // Each mode is a command.
      case .choice where setting.id == .noiseMode: return []
      case .choice(let choices):
        return choices.map { choice in
          line(
            .choice(setting.id, choice.id), "\(setting.title): \(choice.title)",
            shown == .choice(choice.id) ? "current" : nil)
        }
      case .toggle, .level, .action, .pairedDevices:
        guard UserCommand.stepping(on: setting.id) == nil else { return [] }
        return [
          line(
            .setting(setting.id), setting.title,
            shown.map { headphone.words(for: $0, of: setting.id) })
        ]
      case .bands, .text, .reading: return []
      }
    }
  }

  mutating func handle(
    _ search: CommandSearch, _ command: UserCommand, at timestamp: Timestamp
  ) -> [Effect] {
    var search = search
    let found = foundCommands(search.entry.text)
    switch command {
    case .back: dialog = nil
    case .accept:
      guard let chosen = found.element(at: search.line) else { return [] }
      dialog = nil
      return run(chosen.target, at: timestamp)
    default:
      guard let movement = command.movement else { break }
      search.line = movement.index(from: search.line, count: found.count)
      dialog = .commands(search)
    }
    return []
  }

  private mutating func run(_ target: FoundCommand.Target, at timestamp: Timestamp) -> [Effect] {
    switch target {
    case .command(let command): return run(command, behind: page, at: timestamp)
    case .choice(let id, let choice): return choose(choice, of: id, at: timestamp)
    case .setting(let id):
      switch headphones.selected?.capabilities?.declaration(of: id)?.kind {
      case .pairedDevices: return open(.pairedDevices(line: 0))
      case .level:
        (page, focus, controlRow) = (.main, .control, .setting(id))
        return []
      default: return turn(id, by: 1, at: timestamp)
      }
    }
  }
}

extension UserCommand {
  /// Whether the command only makes sense as a key: a movement, an answer, or this search.
  fileprivate var isForKeysAlone: Bool {
    isCursorMovement || [.left, .right, .accept, .back, .commands].contains(self)
  }
}

extension FoundCommand {
  /// Returns the distance of the line from the words searched for, or nil if it lacks one of them.
  ///
  /// Beginnings of words count least, then other words of the command, then parts of words.
  fileprivate func distance(from words: [String]) -> Int? {
    let own = text.lowercased()
    let others = otherWords.lowercased()
    var distance = own.hasPrefix(words.joined(separator: " ")) ? 0 : 1
    for word in words {
      if " \(own)".contains(" \(word)") { continue }
      if " \(others)".contains(" \(word)") {
        distance += 2
      } else if own.contains(word) || others.contains(word) {
        distance += 4
      } else {
        return nil
      }
    }
    return distance
  }
}
