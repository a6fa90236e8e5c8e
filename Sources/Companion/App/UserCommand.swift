package import HeadphoneProtocols

/// A command that keys can be bound to.
///
/// Each feature declares its commands beside its reducer. The help, footer, key table, `earshot
/// keys`, docs/keys.md, configuration names and search are derived from ``allCases``. `KeyMap` of
/// `TerminalUI` has the keys, and a page declares what a command does there (`PageCommand`).
///
/// A command on a lower-case key acts at once and can be undone. One on a capital opens something
/// or asks first (``Question``).
///
/// ```swift
/// static let scan = UserCommand(
///   "scan", keys: ["s"], "scan for headphones, or stop", hint: 50
/// ) { $0.scanOrStop(at: $1) }
/// ```
package struct UserCommand: Sendable {
  typealias Action = @Sendable (inout State, Timestamp) -> [Effect]

  /// The action of a command that only does something on pages with their own action for it.
  static let ofPages: Action = { _, _ in [] }

  /// The pages that have a command without listing it.
  enum Reach { case none, main, everyPage }

  /// The stable name in the configuration and in `earshot keys`.
  ///
  /// ```toml
  /// [keys]
  /// next-anc = ["a", "F5"]
  /// anc-off = []          # no key
  /// ```
  package let name: String
  /// The default keys, the first of which is shown.
  ///
  /// Two commands may share a key if no page has both.
  package let keys: [String]
  /// The summary for the help page, without capital and full stop.
  ///
  /// "(asks)" marks commands that ask a question first.
  package let summary: String
  /// Whether it works while a list or a question is open.
  package let isForDialogs: Bool
  /// Whether it only moves a cursor, so that a notice stays readable.
  let isCursorMovement: Bool
  let movement: Movement?
  /// The settings that it changes by a step, beside which its key is shown.
  package let settings: [SettingID]
  /// The equivalent shell command as advice, or nil: "pair it: earshot pair NAME".
  package let shell: String?
  fileprivate let shortSummary: String?
  fileprivate let currentSummary: @Sendable (State) -> String?
  fileprivate let reach: Reach
  fileprivate let hint: Int?
  fileprivate let isHinted: @Sendable (State) -> Bool
  fileprivate let isUrgent: @Sendable (State) -> Bool
  private let title: @Sendable (State) -> String
  private let whetherAvailable: @Sendable (State) -> Availability
  let action: Action

  /// - Parameters:
  ///   - name: the stable name.
  ///   - keys: the default keys.
  ///   - summary: the line of the help page.
  ///   - shortSummary: the summary in tables of pages other than the main one.
  ///   - currentSummary: the summary if it depends on the headphone, or nil.
  ///   - reach: the pages that have it without listing it.
  ///   - hint: the order in the footer of the main page, or nil if it is not there.
  ///   - isHinted: when the footer shows it; by default while it is available.
  ///   - isUrgent: when it comes before others in the footer.
  ///   - label: the label in the footer, at most a dozen characters.
  ///   - currentLabel: the label if it depends on the state, such as Connect or Cancel.
  ///   - isForDialogs: whether it works in dialogs.
  ///   - isCursorMovement: whether it only moves a cursor.
  ///   - movement: the movement of a list's cursor.
  ///   - settings: the settings that it changes by a step.
  ///   - shell: the equivalent shell command as advice.
  ///   - availability: whether it is available, checked before `action`.
  ///   - action: the general action, for pages without their own.
  init(
    _ name: String, keys: [String], _ summary: String, shortSummary: String? = nil,
    currentSummary: @escaping @Sendable (State) -> String? = { _ in nil },
    reach: Reach = .main, hint: Int? = nil,
    isHinted: (@Sendable (State) -> Bool)? = nil,
    isUrgent: @escaping @Sendable (State) -> Bool = { _ in false },
    label: String? = nil, currentLabel: (@Sendable (State) -> String)? = nil,
    isForDialogs: Bool = false, isCursorMovement: Bool = false, movement: Movement? = nil,
    settings: [SettingID] = [], shell: String? = nil,
    availability: @escaping @Sendable (State) -> Availability = { _ in .available },
    action: @escaping Action
  ) {
    self.name = name
    self.keys = keys
    self.summary = summary
    self.shortSummary = shortSummary
    self.currentSummary = currentSummary
    self.reach = reach
    self.hint = hint
    self.isHinted = isHinted ?? { availability($0) == .available }
    self.isUrgent = isUrgent
    title = currentLabel ?? { _ in label ?? name }
    self.isForDialogs = isForDialogs
    self.isCursorMovement = isCursorMovement
    self.movement = movement
    self.settings = settings
    self.shell = shell
    whetherAvailable = availability
    self.action = action
  }

  /// Returns the label for what the command would do now, or its name.
  package func label(in state: State) -> String { title(state) }

  /// Returns whether the command would do something on the main page now, and if not, why.
  package func availability(in state: State) -> Availability { whetherAvailable(state) }
}

extension UserCommand: Hashable, CustomStringConvertible {
  package static func == (one: UserCommand, other: UserCommand) -> Bool { one.name == other.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  package var description: String { name }
}

/// The headings of the help, in display order.
package enum CommandGroup: String, CaseIterable, Sendable {
  case headphone = "Headphone"
  case links = "Links"
  case sound = "Sound"
  case moving = "Moving"
  case pages = "Pages and program"

  /// The commands below the heading.
  package var commands: [UserCommand] {
    switch self {
    case .headphone:
      UserCommand.noiseCommands + UserCommand.equaliserCommands + UserCommand.settingCommands
        + [.firmware, .touchActions, .pairedDevices, .broadcasts, .factoryReset]
        + UserCommand.sceneCommands
    case .links: UserCommand.linkCommands
    case .sound: UserCommand.soundCommands + UserCommand.playerCommands
    case .moving: UserCommand.movingCommands
    case .pages:
      UserCommand.searchCommands + UserCommand.inspectorCommands + UserCommand.programCommands
    }
  }
}

extension UserCommand: CaseIterable {
  /// Every command, in the order of the help.
  package static let allCases = CommandGroup.allCases.flatMap(\.commands)

  private static let ofSettings = Dictionary(
    allCases.flatMap { command in command.settings.map { ($0, command) } },
    uniquingKeysWith: { first, _ in first })

  /// Returns the command that changes a setting by a step, or nil if there is none.
  package static func stepping(on setting: SettingID) -> UserCommand? { ofSettings[setting] }

  private static let hints = allCases.filter { $0.hint != nil }
    .sorted { ($0.hint ?? 0) < ($1.hint ?? 0) }

  /// Returns the commands in the footer of the main page, urgent ones first.
  package static func hints(in state: State) -> [UserCommand] {
    let shown = hints.filter { $0.isHinted(state) }
    return shown.filter { $0.isUrgent(state) } + shown.filter { !$0.isUrgent(state) }
  }
}

/// A command on a page, with the page's own words and action if it has any.
struct PageCommand: Sendable {
  let command: UserCommand
  let summary: String?
  /// Whether no other command of the page may have its key.
  let claimsKey: Bool
  /// Returns the label in the page's footer, or nil if it is not there now.
  let label: @Sendable (State) -> String?
  let action: UserCommand.Action?

  init(
    _ command: UserCommand, _ summary: String? = nil, label: String? = nil,
    action: UserCommand.Action? = nil
  ) {
    self.init(command, summary, currentLabel: { _ in label }, action: action)
  }

  init(
    _ command: UserCommand, _ summary: String? = nil, claimsKey: Bool = true,
    currentLabel: @escaping @Sendable (State) -> String?, action: UserCommand.Action? = nil
  ) {
    self.command = command
    self.summary = summary
    self.claimsKey = claimsKey
    self.label = currentLabel
    self.action = action
  }

  /// The commands of each page; the first of two declarations counts.
  private static let table = Dictionary(
    uniqueKeysWithValues: PageKind.allCases.map { page in
      (page, Dictionary(page.commands.map { ($0.command, $0) }) { first, _ in first })
    })

  static func named(_ command: UserCommand, on page: PageKind) -> PageCommand? {
    table[page]?[command]
  }
}

extension UserCommand {
  /// Whether the command does something on a page.
  package func isOn(_ page: PageKind) -> Bool {
    switch reach {
    case .everyPage: true
    case .main where page == .main: true
    case .main, .none: PageCommand.named(self, on: page) != nil
    }
  }

  /// The pages on which the command does something.
  package var pages: Set<PageKind> { Set(PageKind.allCases.filter(isOn)) }

  /// The pages on which no other command may have one of its keys.
  package var claimedPages: Set<PageKind> {
    pages.filter { PageCommand.named(self, on: $0)?.claimsKey != false }
  }

  /// Returns what the command does on a page, for the headphone of `state` or for any.
  package func summary(on page: PageKind, in state: State? = nil) -> String {
    PageCommand.named(self, on: page)?.summary ?? state.flatMap(currentSummary)
      ?? (page == .main ? summary : shortSummary ?? summary)
  }
}

/// An entry of the footer: a command, or two opposite ones with the same label.
package struct CommandHint: Hashable, Sendable {
  /// What the commands do now, in a word or two.
  package let label: String
  /// One command, or two such as up and down.
  package let commands: [UserCommand]
}

extension State {
  /// The footer of the current page, in the page's order; on the main page, urgent commands come
  /// first.
  package var footerHints: [CommandHint] {
    var hints: [CommandHint] = []
    var seen: Set<UserCommand> = []
    for command in page.kind.commands where seen.insert(command.command).inserted {
      guard let label = command.label(self) else { continue }
      if let last = hints.last, last.label == label {
        hints[hints.count - 1] = CommandHint(
          label: label, commands: last.commands + [command.command])
      } else {
        hints.append(CommandHint(label: label, commands: [command.command]))
      }
    }
    guard page == .main else { return hints }
    return hints
      + UserCommand.hints(in: self).map { CommandHint(label: $0.label(in: self), commands: [$0]) }
  }
}
