import ArgumentParser
import Bluetooth
import Companion
import CompanionRuntime

struct WatchCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Write a line for each change of a headphone.",
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

  var course: CommandLifetime { .endless }
  /// A capture is of a link of its own.
  var place: OwnerEndpoint? { options.capture == nil ? options.meetingPlace : nil }

  @MainActor
  func run() async throws {
    try await share { client throws(CommandError) in
      // The owner may be linked with another headphone only.
      let headphone = headphone(of: client)
      let holding = options.device.map { selector in
        Task { try? await headphone.hold(selector) }
      }
      await follow(client.store)
      holding?.cancel()
      await holding?.value
    } own: { turn in
      // What an owner wrote that has left goes on.
      try await wired { wiring throws(CommandError) in
        let program = HeadlessApp(
          wiring, listener: turn.listener, autoPause: root.autoPause, log: logWriter(wiring))
        program.start(autoConnect: wiring.autoConnect(options))
        await follow(program.store)
        await program.stop()
      }
    }
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
