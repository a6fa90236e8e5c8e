import ArgumentParser
import Companion
import CompanionRuntime

struct WatchCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Write a line of JSON for each change of a headphone.",
    discussion: """
      Each line is what `status --json` tells. Goes on until it is interrupted: a link that is
      lost is looked for again.

      EXAMPLES:
        earshot watch
        earshot watch --device f0f1 | jq --unbuffered .battery.left
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    try await wired { wiring throws(CommandError) in
      let effects = LiveEffects(world: wiring.world)
      let store = Store(handler: effects, now: wiring.world.now, log: tell(wiring))
      effects.start(autoConnect: wiring.autoConnect(options)) { store.send($0) }
      var last: StatusReport?
      for await state in store.states {
        guard let headphone = state.headphones.selected else { continue }
        let report = StatusReport(headphone, in: state)
        if report.json != last?.json { Output.data("\(report.json)") }
        last = report
      }
    }
  }
}
