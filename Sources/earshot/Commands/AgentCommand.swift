import ArgumentParser
import BluetoothRadio
import Companion
import CompanionRuntime
import Configuration
import Sharing
import TerminalUI

/// The command `earshot agent`: an owner of the link without a screen.
///
/// If another process owns the link, the agent waits for that process to end and then takes over.
/// It prints the path of its socket on stderr.
struct AgentCommand: ReportingCommand, SynonymousCommand {
  static let synonyms: [Synonym] = [
    "daemon", "agent start", "daemon start",
    .init("agent stop", suggesting: "systemctl --user stop earshot"),
    .init("agent status", suggesting: "systemctl --user status earshot"),
    .init("agent restart", suggesting: "systemctl --user restart earshot"),
    .init("stop", suggesting: "systemctl --user stop earshot"),
    .init("quit", suggesting: "systemctl --user stop earshot"),
    .init("exit", suggesting: "systemctl --user stop earshot"),
    .init("restart", suggesting: "systemctl --user restart earshot"),
    .init("is-active", suggesting: "systemctl --user is-active earshot"),
  ]

  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Run in the background and share one connection.",
    discussion: """
      While it runs, commands take a few milliseconds. If another earshot owns the link, it waits \
      for its turn.

      EXAMPLES:
        earshot agent
        systemctl --user start earshot
      """)

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func run() async throws {
    StandardConsole.neverBlock()
    guard let place = options.endpoint else {
      throw exitCode(
        for: .unavailable(
          "XDG_RUNTIME_DIR is not set: the link cannot be shared\nrun the agent in a login session")
      )
    }
    while true {
      switch await place.join() {
      case nil: return
      case .client(let channel):
        StandardConsole.shared.message("another earshot owns the link; waiting until it leaves")
        while await channel.next() != nil {}
      case .owner(let listener):
        return try await serve(listener, at: place)
      }
    }
  }

  @MainActor
  private func serve(_ listener: OwnerListener?, at place: OwnerEndpoint) async throws {
    try await withDependencies { parts throws(CommandError) in
      let program = app(parts, listener: listener)
      await program.start(autoConnect: parts.autoConnect(options))
      StandardConsole.shared.message(
        listener == nil
          ? "the agent keeps the link, but cannot share it\n"
            + "\(place.folder) must be a folder of yours that is closed to others (chmod 700)"
          : "the agent keeps the link; others share it at \(place.socket)")
      await program.run { for await _ in program.store.states {} }
      await program.stop()
    }
  }
}
