import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Sharing

/// The command `earshot broadcasts`, which prints each when found, or with `--json` at the end.
struct BroadcastsCommand: SharedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["auracast"]

  static let configuration = CommandConfiguration(
    commandName: "broadcasts",
    abstract: "List the Auracast broadcasts nearby.",
    discussion: """
      Lists each broadcast as soon as it is heard, for 10 s. `earshot broadcast join NAME` sends \
      the headphone to one.

      EXAMPLES:
        earshot broadcasts
        earshot broadcasts 5 --json
      """)

  @Argument(help: "Seconds.", transform: SecondsArgument.parse)
  var seconds: SecondsArgument?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var lifetime: CommandLifetime { .stream }
  var needsLink: Bool { false }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    var shown: [BroadcastID: String] = [:]
    let heard = try await target(in: context).searchBroadcasts(
      for: .seconds(seconds?.seconds ?? 10)
    ) { broadcasts in
      for broadcast in broadcasts where !options.json && shown[broadcast.id] != broadcast.title {
        shown[broadcast.id] = broadcast.title
        context.console.data(BroadcastsReport.line(broadcast))
      }
      return false
    }
    if options.json {
      context.console.data("\(BroadcastsReport(heard).json)")
    } else if heard.isEmpty {
      context.console.message("no broadcasts nearby")
    }
  }
}

/// The command `earshot broadcast`.
///
/// `join` and `leave` return when the headphone's receive states show the change. `--code -` reads
/// the code from standard input, which hides it from the list of processes.
struct BroadcastCommandLine: ConnectedCommand {
  static let configuration = CommandConfiguration(
    commandName: "broadcast",
    abstract: "Send the headphone to an Auracast broadcast, or have it stop listening.",
    discussion: """
      Both buds of a pair are sent. What is printed is what the headphone itself reports. A locked \
      broadcast needs its code: it is asked for in a terminal; --code - reads it from standard \
      input. A code that is given as an argument can be seen in the list of processes.

      EXAMPLES:
        earshot broadcast
        earshot broadcast join "Gate B12"
        earshot broadcast join Lounge --code - < code.txt
        earshot broadcast leave
      """)

  @Argument(help: "What to do.")
  var action: BroadcastArgument?

  @Argument(help: "The broadcast's name, the beginning of it, or its identity.")
  var name: String?

  @Option(
    help: .init(
      "The code of a locked broadcast; - reads it from standard input.", valueName: "code"))
  var code: String?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var isReading: Bool { action == nil }

  func validate() throws {
    if action == .join, name == nil {
      throw ValidationError("which broadcast?\nfor example: earshot broadcast join \"Gate B12\"")
    }
    if action != .join, name != nil || code != nil {
      throw ValidationError("only join takes a name and a code\nearshot broadcast join NAME")
    }
    if let code, code != "-", BroadcastCode(code) == nil {
      throw ValidationError("that is no code\na code has 4 to 16 characters")
    }
  }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    switch action {
    case nil: break
    case .leave: try await headphone.leaveBroadcast()
    case .join:
      try await headphone.join(name ?? "") { broadcast throws(CommandError) in
        try await readCode(of: broadcast, context.console)
      }
    }
    return try headphone.reception()
  }

  /// Returns the code from the option, standard input or the terminal, or nil if there is none.
  @MainActor
  private func readCode(
    of broadcast: Broadcast, _ console: any Console
  ) async throws(CommandError) -> BroadcastCode? {
    if let code, code != "-" { return BroadcastCode(code) }
    let isAsked = code == nil && broadcast.isLocked == true && console.isInteractive
    guard code == "-" || isAsked else { return nil }
    if isAsked { console.progress("earshot: code of \(broadcast.title): ") }
    guard let typed = await console.line(), let read = BroadcastCode(typed) else {
      throw .usage("that is no code\na code has 4 to 16 characters")
    }
    return read
  }
}

enum BroadcastArgument: String, NamedArgument {
  case join, leave
  var name: String { rawValue }
}
