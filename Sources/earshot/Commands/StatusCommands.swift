import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Persistence
import Sharing

/// The command `earshot status`.
///
/// A known headphone that cannot be reached is still reported, with its sound; the exit status is
/// that of the failed link: 5, or 3 or 4 without an adapter or headphone.
struct StatusCommand: SharedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = [
    "info", "show", .init("watch --once", as: "--json", isSuggested: true),
    .init("devices --connected", as: "--all", isSuggested: true),
  ]

  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show a headphone's status.",
    discussion: """
      For a known headphone that cannot be reached it shows the sound, and exits with the code \
      of the link. --all connects nothing.

      EXAMPLES:
        earshot status
        earshot status --all
        earshot status aurora --json
        earshot status --json | jq .battery.left
        earshot status --format '{battery}% {mode}'
      """)

  @Argument(help: .headphone, completion: .headphones)
  var headphone: String?

  @Flag(name: .shortAndLong, help: "Every known or nearby headphone, as it is now.")
  var all = false

  @Option(name: .shortAndLong, help: "One line as earshot watch writes it: a format or a template.")
  var format: FormatArgument?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  /// Whether `--all` is given, which users also type without hyphens.
  private var isOfAll: Bool { all || headphone == "all" }
  var needsLink: Bool { !isOfAll }

  func validate() throws {
    if isOfAll, format != nil {
      throw ValidationError("--all and --format exclude each other\ngive one of them")
    }
    _ = try format?.checked
  }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    if isOfAll {
      await target(in: context).observeAudio()
      return context.console.data(
        StatusListReport(context.store.state), asJSON: options.json)
    }
    let target = target(in: context)
    do throws(CommandError) {
      try await linked(target, selector(in: context), on: context.console, isReading: true) {
        await target.measureLink()
        await target.readOldCharge()
        await target.observeAudio()
        report(target, on: context.console)
      }
    } catch {
      // What is known without a link is still reported.
      if target.headphone?.link.isReady == false {
        await target.observeAudio()
        report(target, on: context.console)
      }
      throw error
    }
  }

  @MainActor
  private func report(_ target: CommandTarget, on console: any Console) {
    guard let headphone = target.headphone else { return }
    let state = target.state
    if let format = try? format?.checked {
      let line = WatchLine(headphone, in: state, thresholds: state.preferences.thresholds)
      console.data(ValueReport(.line, line.text(format)), asJSON: options.json)
    } else {
      console.data(StatusReport(headphone, in: state, at: .now), asJSON: options.json)
    }
  }
}

/// The command `earshot battery`, with the remaining time if the history allows an estimate.
struct BatteryCommand: SharedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["charge", "charges", .init("history", as: "--history")]

  static let configuration = CommandConfiguration(
    commandName: "battery",
    abstract: "Show battery levels.",
    discussion: """
      Where no part's level is known, it shows the one figure that bluetoothd has. --history \
      connects nothing.

      EXAMPLES:
        earshot battery
        earshot battery aurora
        earshot battery left
        earshot battery --watch
        earshot battery --history
        earshot battery --json
      """)

  @OptionGroup var arguments: HeadphoneArguments<PartArgument>

  @Flag(name: .shortAndLong, help: "Print them again at each change, until interrupted.")
  var watch = false

  @Flag(help: "How long a full charge has lasted, month by month.")
  var history = false

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var needsLink: Bool { !history }
  var lifetime: CommandLifetime { watch ? .endless : .report }
  var headphone: String? { arguments.headphone }
  private var part: PartArgument? { arguments.value }

  func validate() throws {
    if history, watch || part != nil {
      throw ValidationError("--history is of the whole headphone\ngive it alone")
    }
  }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    if watch {
      return await follow(in: context) { headphone, state in
        headphone.link.isReady
          ? BatteryLevelsReport(headphone, of: part?.part, thresholds: state.preferences.thresholds)
          : nil
      } text: { levels, _ in
        options.json ? "\(levels.json)" : levels.line
      }
    }
    let target = target(in: context)
    if history {
      try target.chooseKnown(selector(in: context))
      guard target.headphone != nil else { throw .notKnown(selector: selector(in: context)) }
      await target.settle { $0.charges != nil }
      guard let headphone = target.headphone else { return }
      return context.console.data(
        BatteryAgeReport(headphone, at: .now), asJSON: options.json)
    }
    do throws(CommandError) {
      try await linked(target, selector(in: context), on: context.console, isReading: true) {
        await target.readOldCharge()
      }
    } catch {
      // bluetoothd may know a charge without a control link.
      guard target.headphone?.onlyCharge != nil else { throw error }
    }
    if let headphone = target.headphone {
      context.console.data(
        BatteryLevelsReport(
          headphone, of: part?.part, thresholds: target.state.preferences.thresholds, at: .now),
        asJSON: options.json)
    }
  }
}

struct VersionCommand: LocalCommand {
  static let configuration = CommandConfiguration(
    commandName: "version",
    abstract: "Show the version.",
    discussion: """
      EXAMPLES:
        earshot version
        earshot version --json
      """)

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func report() -> (any Report)? { ValueReport(.version, Earshot.configuration.version) }
}

struct PartArgument: NamedArgument {
  static let help: ArgumentHelp? = .init("One part, printed as a number alone.", valueName: "part")
  static let allCases = Part.allCases.map(PartArgument.init) + [PartArgument(part: nil)]

  let part: Part?
  var name: String { part?.name ?? "all" }
}
