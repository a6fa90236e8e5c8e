import ArgumentParser
import Bluetooth
import Companion
import CompanionRuntime
import Configuration
import Sharing
import TerminalUI

/// An owner of the link without a screen: `earshot agent`.
///
/// It connects by the rule of the configuration, keeps the link, and runs the commands of other
/// processes. Where another process owns the link, it waits until that has ended and takes over
/// then.
///
/// Prints a line on stderr about where it can be reached, and nothing on stdout; `--json` changes
/// nothing. Runs until a signal ends it, in order. Exit status: 1 if `XDG_RUNTIME_DIR` is not set or a part
/// of the program cannot be made.
struct AgentCommand: ReportingCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["daemon"]

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

  /// The channel to another owner is read until it closes: that is when the owner has ended, for
  /// whatever reason, and without polling.
  @MainActor
  func run() async throws {
    StandardConsole.neverBlock()
    guard let place = await options.endpoint else {
      StandardConsole.shared.message(
        "XDG_RUNTIME_DIR is not set: the link cannot be shared\nrun the agent in a login session")
      throw ExitCode(ExitStatus.failed.rawValue)
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

  /// Runs the app as the owner, until it is asked to quit.
  ///
  /// - Parameters:
  ///   - listener: Accepts clients; nil: the folder of the socket is not safe to use, and no client
  ///     can join.
  ///   - place: Names the socket in the message.
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
