extension UserCommand {
  package static let theme = UserCommand(
    "next-theme", keys: ["T"], "choose a theme, with a preview", reach: .everyPage,
    label: "Theme", isForDialogs: true
  ) { state, timestamp in state.askForTheme(at: timestamp) }
}

package struct Themes: Hashable, Sendable {
  package var names: [String] = []
  package var chosen = ""
}

/// The list of themes: the one under the cursor is shown, Enter stores it, and Esc restores the
/// former.
package struct ThemeChoice: Hashable, Sendable {
  /// The names of all themes, built-in and the user's own, in display order.
  package var names: [String]
  package var line: Int

  package init(names: [String], line: Int) {
    self.names = names
    self.line = line
  }
}

extension State {
  fileprivate mutating func askForTheme(at timestamp: Timestamp) -> [Effect] {
    let themes = preferences.themes
    guard !themes.names.isEmpty else { return explain("no other theme", at: timestamp) }
    dialog = .theme(
      ThemeChoice(names: themes.names, line: themes.names.firstIndex(of: themes.chosen) ?? 0))
    return []
  }

  mutating func handle(_ choice: ThemeChoice, _ command: UserCommand) -> [Effect] {
    let count = choice.names.count
    if let movement = command.movement {
      return show(choice, line: movement.index(from: choice.line, count: count))
    }
    switch command {
    case .theme: return show(choice, line: (choice.line + 1) % max(1, count))
    case .accept:
      dialog = nil
      guard let name = choice.names.element(at: choice.line), name != preferences.themes.chosen
      else {
        return [.showTheme(nil)]
      }
      return [.changeConfiguration(.theme(name))]
    case .back:
      dialog = nil
      return [.showTheme(nil)]
    default: return []
    }
  }

  mutating func show(_ choice: ThemeChoice, line: Int) -> [Effect] {
    guard let name = choice.names.element(at: line) else { return [] }
    dialog = .theme(ThemeChoice(names: choice.names, line: line))
    return [.showTheme(name)]
  }
}
