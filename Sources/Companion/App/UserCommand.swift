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

  /// The action of a command that acts only on pages with their own action for it.
  static let ofPages: Action = { _, _ in [] }

  /// The pages that have a command without listing it.
  enum Reach { case none, main, everyPage }

  /// The stable name in the `[keys]` table of the configuration and in `earshot keys`.
  package let name: String
  /// The default keys, the first of which is shown; commands that share no page may share a key.
  package let keys: [String]
  /// The summary for the help page, without capital and full stop; "(asks)" marks a question.
  package let summary: String
  package let isForDialogs: Bool
  /// Whether the command only moves a cursor, so that a notice stays readable.
  let isCursorMovement: Bool
  let movement: Movement?
  /// The settings that the command changes by a step, beside which its key is shown.
  package let settings: [SettingID]
  /// The equivalent shell command as advice: "pair it: earshot pair NAME".
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

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - shortSummary: the summary in tables of pages other than the main one.
  ///   - currentSummary: the summary if it depends on the headphone.
  ///   - reach: the pages that have the command without listing it.
  ///   - hint: the order in the footer of the main page, or nil if it is not there.
  ///   - isHinted: when the footer shows it; by default while it is available.
  ///   - isUrgent: when it comes before others in the footer.
  ///   - label: the label in the footer, at most a dozen characters.
  ///   - currentLabel: the label if it depends on the state, such as Connect or Cancel.
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

  /// Returns the label for the command's current effect, or its name.
  package func label(in state: State) -> String { title(state) }

  /// Returns whether the command would do something on the main page now.
  package func availability(in state: State) -> Availability { whetherAvailable(state) }
}

extension UserCommand: Hashable, CustomStringConvertible {
  package static func == (one: UserCommand, other: UserCommand) -> Bool { one.name == other.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
  package var description: String { name }
}

package enum CommandGroup: String, CaseIterable, Sendable {
  case headphone = "Headphone"
  case links = "Links"
  case sound = "Sound"
  case moving = "Moving"
  case pages = "Pages and program"

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
  package static let allCases = CommandGroup.allCases.flatMap(\.commands)

  private static let ofSettings = Dictionary(
    allCases.flatMap { command in command.settings.map { ($0, command) } },
    uniquingKeysWith: { first, _ in first })

  package static func stepping(on setting: SettingID) -> UserCommand? { ofSettings[setting] }

  private static let hints = allCases.filter { $0.hint != nil }
    .sorted { ($0.hint ?? 0) < ($1.hint ?? 0) }

  package static func hints(in state: State) -> [UserCommand] {
    let shown = hints.filter { $0.isHinted(state) }
    return shown.filter { $0.isUrgent(state) } + shown.filter { !$0.isUrgent(state) }
  }
}

struct PageCommand: Sendable {
  let command: UserCommand
  let summary: String?
  /// Whether no other command of the page may have its key.
  let claimsKey: Bool
  /// Returns the label in the page's footer; nil while it is not there.
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

  /// Returns the page's first declaration of a command, or nil if it has none.
  ///
  /// A dictionary of all pages would delay the first key by 2 ms.
  static func named(_ command: UserCommand, on page: PageKind) -> PageCommand? {
    page.commands.first { $0.command == command }
  }
}

extension UserCommand {
  package func isOn(_ page: PageKind) -> Bool {
    switch reach {
    case .everyPage: true
    case .main where page == .main: true
    case .main, .none: PageCommand.named(self, on: page) != nil
    }
  }

  package var pages: Set<PageKind> { Set(PageKind.allCases.filter(isOn)) }

  /// The pages on which no other command may have one of its keys.
  package var claimedPages: Set<PageKind> {
    pages.filter { PageCommand.named(self, on: $0)?.claimsKey != false }
  }

  /// Returns the effect on a page, for the selected headphone of `state`, or for any if nil.
  package func summary(on page: PageKind, in state: State? = nil) -> String {
    PageCommand.named(self, on: page)?.summary ?? state.flatMap(currentSummary)
      ?? (page == .main ? summary : shortSummary ?? summary)
  }
}

package struct CommandHint: Hashable, Sendable {
  package let label: String
  package let commands: [UserCommand]

  /// Whether the commands only help where some lines are out of sight.
  package var isForLongLists: Bool { commands.contains(.pageUp) || commands.contains(.top) }
}

extension State {
  /// The footer of the current page in the page's order, or on the main page with urgent commands
  /// first; commands that would do nothing to the page's lines are left out.
  package var footerHints: [CommandHint] {
    var hints: [CommandHint] = []
    var seen: Set<UserCommand> = []
    let lines = page.kind.lines(self)
    for command in page.kind.commands where seen.insert(command.command).inserted {
      guard let label = command.label(self),
        command.action != nil || isUseful(command.command, on: lines)
      else { continue }
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

  /// Returns whether a command that moves over lines, searches or copies them does anything now.
  private func isUseful(_ command: UserCommand, on lines: [PageLine]) -> Bool {
    switch command {
    case .copy: page.line.flatMap { lines.element(at: $0)?.copied }?.isEmpty == false
    case .filter: lines.count > 1 || !filter.isEmpty
    default: command.movement == nil || lines.count > 1
    }
  }
}
