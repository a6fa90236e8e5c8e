extension PageKind {
  package static let help = PageKind(
    "Help",
    commands: [
      PageCommand(
        .accept, "run the command",
        currentLabel: { state in
          let line = state.page.line.flatMap { state.helpLines.element(at: $0) }
          return line.flatMap { state.helpAvailability(of: $0.command) == .available ? "Run" : nil }
        }
      ) { $0.runFromHelp(at: $1) },
      PageCommand(.help, "close the page"),
    ] + PageCommand.lines,
    lines: { $0.helpLines.map { PageLine($0.summary, copied: $0.command.name) } })
}

/// The help: every command, starting with those of the page behind it.
extension State {
  package struct HelpSection: Sendable {
    package let title: String
    package let lines: [HelpLine]
  }

  package struct HelpLine: Sendable {
    package let command: UserCommand
    /// The effect on the page behind, or in general if that page lacks the command.
    package let summary: String
  }

  /// The groups of the main page, or the commands of another page followed by those that it lacks.
  package var helpSections: [HelpSection] {
    let kind = page.behind.kind
    let groups =
      kind == .main
      ? CommandGroup.allCases.map { ($0.rawValue, $0.commands) }
      : [(kind.title, UserCommand.allCases)]
    let here = groups.map { title, commands in
      HelpSection(
        title: title,
        lines: commands.filter { $0.isOn(kind) }.map {
          HelpLine(command: $0, summary: $0.summary(on: kind, in: self))
        })
    }
    let elsewhere = UserCommand.allCases.filter { !$0.isOn(kind) }
      .map { HelpLine(command: $0, summary: $0.summary(on: .main, in: self)) }
    return (here + [HelpSection(title: "Elsewhere", lines: elsewhere)])
      .filter { !$0.lines.isEmpty }
  }

  package var helpLines: [HelpLine] { helpSections.flatMap(\.lines) }

  package func helpAvailability(of command: UserCommand) -> Availability {
    availability(of: command, behind: page.behind)
  }

  /// Returns whether `command` can be run from a list over `page`.
  func availability(of command: UserCommand, behind page: Page) -> Availability {
    let kind = page.kind
    if PageCommand.named(command, on: kind)?.action != nil { return .available }
    if command.isOn(kind) || command.isOn(.main) { return command.availability(in: self) }
    let titles = PageKind.allCases.filter { $0 != .help && command.isOn($0) }.map(\.title)
    return .refused(
      titles.count == 1 ? "only on the page \(titles[0])" : "only on pages with lines")
  }

  mutating func openOrCloseHelp() -> [Effect] {
    filter = ""
    page = page.kind == .help ? page.behind : .help(over: page, line: 0)
    return []
  }

  fileprivate mutating func runFromHelp(at timestamp: Timestamp) -> [Effect] {
    guard let command = page.line.flatMap({ helpLines.element(at: $0) })?.command,
      command != .help
    else { return [] }
    return run(command, behind: page.behind, at: timestamp)
  }

  /// Runs a command of a list over a page: there, or else on the main page.
  mutating func run(
    _ command: UserCommand, behind: Page, at timestamp: Timestamp
  ) -> [Effect] {
    guard command.isOn(behind.kind) || command.isOn(.main) else {
      return explain(availability(of: command, behind: behind), at: timestamp)
    }
    page = command.isOn(behind.kind) ? behind : .main
    filter = ""
    return press(command, at: timestamp)
  }
}
