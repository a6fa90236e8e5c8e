import ArgumentParser
import Bluetooth
import Companion
import CompanionRuntime

struct WatchCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Print a line for each change of a headphone.",
    discussion: """
      Each line is what `status --json` tells, or what a status bar takes. Goes on until it is
      interrupted: a link that is lost is looked for again.

      EXAMPLES:
        earshot watch
        earshot watch --device f0f1 | jq --unbuffered .battery.left
        earshot watch --format waybar
        earshot watch --format tmux
      """)

  @Option(help: "What each line is for; waybar is for Polybar too.")
  var format = FormatArgument(.json)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  var lifetime: CommandLifetime { .endless }
  /// A capture is of a link of its own.
  var endpoint: OwnerEndpoint? { options.capture == nil ? options.endpoint : nil }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    // An owner may be linked with another headphone only.
    let target = target(in: context)
    let holding = options.device.map { selector in
      Task { try? await target.hold(selector) }
    }
    await follow(context.store)
    holding?.cancel()
    await holding?.value
  }

  /// Writes a line for each change, until nobody reads them.
  @MainActor
  private func follow(_ store: Store) async {
    var last: String?
    for await state in store.follow() {
      guard let headphone = headphone(in: state) else { continue }
      let line = WatchLine(headphone, in: state, thresholds: state.thresholds).text(format.format)
      guard line != last else { continue }
      last = line
      guard await Output.deliver(line) else { return }
    }
  }

  private func headphone(in state: State) -> HeadphoneState? {
    guard let selector = options.device else { return state.headphones.selected }
    return state.headphones.first { $0.matches(selector) }
  }
}

/// What `--format` takes.
struct FormatArgument: ExpressibleByArgument {
  static let allValueStrings = WatchFormat.allCases.map(\.rawValue)

  let format: WatchFormat

  init(_ format: WatchFormat) { self.format = format }

  init?(argument: String) {
    guard let format = WatchFormat(rawValue: argument) else { return nil }
    self.format = format
  }

  var defaultValueDescription: String { format.rawValue }
}
