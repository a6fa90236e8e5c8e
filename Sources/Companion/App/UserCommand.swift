public import HeadphoneProtocols

/// A command that a key can be bound to, with all that is known of it.
///
/// What a key *means*; which key it is, `KeyMap` of `TerminalUI` says. Each feature declares its
/// commands beside its reducer, and everything else is a loop over ``allCases``: help, footer, key
/// table, `earshot keys`, docs/keys.md, the names in the configuration, search. What a command does
/// on a page other than the main one, the page declares (`PageCommand`).
///
/// A command bound to a lower-case key acts at once and can be undone; one on a capital opens
/// something, or asks first (``Question``).
///
/// ```swift
/// static let scan = UserCommand(
///   "scan", keys: ["s"], "scan for headphones, or stop", hint: 50
/// ) { $0.scanOrStop(at: $1) }
/// ```
public struct UserCommand: Sendable {
  typealias Action = @Sendable (inout State, Timestamp) -> [Effect]

  /// The action of a command that only acts on pages that have an action of their own for it.
  static let ofPages: Action = { _, _ in [] }

  /// The pages that have a command without listing it.
  enum Reach { case none, main, everyPage }

  /// The name in the configuration of keys and in `earshot keys`; stable.
  ///
  /// ```toml
  /// [keys]
  /// next-anc = ["a", "F5"]
  /// anc-off = []          # no key
  /// ```
  public let name: String
  /// Its keys unless the configuration says otherwise, as that names them; the first is shown.
  ///
  /// Two commands may share a key where no page has both.
  public let keys: [String]
  /// What it does, in one line of the help page, without a capital and a full stop.
  ///
  /// "(asks)" names those that open a question first.
  public let summary: String
  /// Whether it acts while a list or a question lies over the page.
  public let isForDialogs: Bool
  /// Whether it only moves a cursor, so that a notice can be read on the way.
  let isCursorMovement: Bool
  /// How it moves the cursor of a list; nil: it does not.
  let movement: Movement?
  /// The settings that it steps on, beside which its key stands.
  public let settings: [SettingID]
  /// Its command line as advice, with NAME for the headphone's; nil: there is none.
  ///
  /// "pair it: earshot pair NAME"
  public let shell: String?
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
  ///   - name: The stable name.
  ///   - keys: The standard keys.
  ///   - summary: The line of the help page.
  ///   - shortSummary: The summary in the table of a page other than the main one.
  ///   - currentSummary: The summary where it depends on the headphone; nil: it does not now.
  ///   - reach: The pages that have it without listing it.
  ///   - hint: The place in the footer of the main page; nil: it is not there.
  ///   - isHinted: When the footer shows it; by default while it is available.
  ///   - isUrgent: When it stands before all that are not, since it is what is needed now.
  ///   - label: At most a dozen characters for the footer.
  ///   - currentLabel: The label where it depends on the state, such as Connect or Cancel.
  ///   - isForDialogs: Whether it acts in dialogs, too.
  ///   - isCursorMovement: Whether it moves a cursor and does nothing else.
  ///   - movement: How it moves the cursor of a list.
  ///   - settings: The settings that it steps on.
  ///   - shell: Its command line as advice, with NAME for the headphone's.
  ///   - availability: Why it can do nothing now; checked before `action`.
  ///   - action: What it does where the page that is shown has no action of its own for it.
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

  /// A short label beside its key, for what it would do now; its name where it has none.
  public func label(in state: State) -> String { title(state) }

  /// Whether it would do something on the main page now, and if not, why.
  ///
  /// Footer, help, notice and the commands of the shell all show this.
  public func availability(in state: State) -> Availability { whetherAvailable(state) }
}

extension UserCommand: Hashable, CustomStringConvertible {
  public static func == (one: UserCommand, other: UserCommand) -> Bool { one.name == other.name }
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
  public var description: String { name }
}

/// The headings of the help, in their order.
public enum CommandGroup: String, CaseIterable, Sendable {
  case headphone = "Headphone"
  case links = "Links"
  case sound = "Sound"
  case moving = "Moving"
  case pages = "Pages and program"

  /// The commands below the heading: those of the features, one after the other.
  public var commands: [UserCommand] {
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
  /// Every command in the order of the help page, whose lines are indices of it, with one for each
  /// noise control mode and one for each scene that has a key.
  public static let allCases = CommandGroup.allCases.flatMap(\.commands)

  private static let ofSettings = Dictionary(
    allCases.flatMap { command in command.settings.map { ($0, command) } },
    uniquingKeysWith: { first, _ in first })

  /// The command that steps on a setting; nil: it has none of its own.
  public static func stepping(on setting: SettingID) -> UserCommand? { ofSettings[setting] }

  private static let hints = allCases.filter { $0.hint != nil }
    .sorted { ($0.hint ?? 0) < ($1.hint ?? 0) }

  /// The commands in the footer of the main page, what is needed now first.
  public static func hints(in state: State) -> [UserCommand] {
    let shown = hints.filter { $0.isHinted(state) }
    return shown.filter { $0.isUrgent(state) } + shown.filter { !$0.isUrgent(state) }
  }
}

/// What a page makes of a command: its own words and action, or only that the page has it.
struct PageCommand: Sendable {
  let command: UserCommand
  /// Nil: the words of the command.
  let summary: String?
  /// Whether no other command of the page may have its key; otherwise the other one gets it.
  let claimsKey: Bool
  /// Its label in the page's footer now; nil: it is not there.
  let label: @Sendable (State) -> String?
  /// Nil: what the command does everywhere.
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

  /// The commands of every page that lists some; of two declarations on a page the first counts.
  private static let table = Dictionary(
    uniqueKeysWithValues: PageKind.allCases.map { page in
      (page, Dictionary(page.commands.map { ($0.command, $0) }) { first, _ in first })
    })

  static func named(_ command: UserCommand, on page: PageKind) -> PageCommand? {
    table[page]?[command]
  }
}

extension UserCommand {
  /// Whether it does something on a page; elsewhere its key does nothing.
  public func isOn(_ page: PageKind) -> Bool {
    switch reach {
    case .everyPage: true
    case .main where page == .main: true
    case .main, .none: PageCommand.named(self, on: page) != nil
    }
  }

  /// The pages on which it does something.
  public var pages: Set<PageKind> { Set(PageKind.allCases.filter(isOn)) }

  /// The pages on which no other command may have one of its keys.
  public var claimedPages: Set<PageKind> {
    pages.filter { PageCommand.named(self, on: $0)?.claimsKey != false }
  }

  /// What it does on a page; the general summary where the page makes no difference.
  ///
  /// - Parameter state: With the headphone that it acts on; nil: any.
  public func summary(on page: PageKind, in state: State? = nil) -> String {
    PageCommand.named(self, on: page)?.summary ?? state.flatMap(currentSummary)
      ?? (page == .main ? summary : shortSummary ?? summary)
  }
}

/// What a footer says of a command, or of two opposite ones with the same label.
public struct CommandHint: Hashable, Sendable {
  /// What they do now, in a word or two.
  public let label: String
  /// One, or two such as up and down.
  public let commands: [UserCommand]
}

extension State {
  /// The footer of the page that is shown: what the page declares, in its order; on the main page
  /// what is most useful now comes first.
  public var footerHints: [CommandHint] {
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
