import ArgumentParser
import Bluetooth
import Companion
import CompanionRuntime
import Configuration
import TerminalUI

struct AgentCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Run in the background and share one connection.",
    discussion: """
      While it runs, commands take a few milliseconds. Where another earshot owns the link, it waits
      for its turn.

      EXAMPLES:
        earshot agent
        systemctl --user start earshot
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    Output.neverBlock()
    guard let place = options.endpoint else {
      Output.message("XDG_RUNTIME_DIR is not set: there is no place to meet other processes")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    while true {
      switch await place.join() {
      case nil: return
      case .client(let channel):
        Output.message("another earshot owns the link; waiting until it leaves")
        while await channel.next() != nil {}
      case .owner(let listener):
        return try await serve(listener, at: place)
      }
    }
  }

  @MainActor
  private func serve(_ listener: OwnerListener?, at place: OwnerEndpoint) async throws {
    try await wired { wiring throws(CommandError) in
      let program = HeadlessApp(
        wiring, listener: listener, autoPause: root.autoPause, log: logWriter(wiring))
      program.start(autoConnect: wiring.autoConnect(options))
      Output.message(
        listener == nil
          ? "keeps the link, alone: nobody can meet it in \(place.folder), which must be a folder "
            + "of yours that is closed to others (chmod 700)"
          : "keeps the link; others share it at \(place.socket)")
      for await _ in program.store.states {}
      await program.stop()
    }
  }
}
