import ArgumentParser
import Bluetooth
import Companion
import CompanionRuntime

struct ConnectCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Connect a headphone.",
    discussion: """
      Returns when it is ready, if a screen, `earshot agent` or `earshot watch` keeps the link.
      Else it keeps the link itself until it is interrupted.

      EXAMPLES:
        earshot connect f0f1
        earshot connect aurora --timeout 60
      """)

  @Argument(help: "The beginning of its identity, address or name.")
  var id: String

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws { try await share(client: connect, own: keep) }

  @MainActor
  private func keep(_ turn: Ownership) async throws {
    try await wired { wiring throws(CommandError) in
      let program = HeadlessApp(
        wiring, listener: turn.listener, autoPause: root.autoPause, log: logWriter(wiring))
      program.start(autoConnect: .never)
      do throws(CommandError) {
        try await connect(
          SharedHeadphone(
            store: program.store, effects: program.effects, timeout: options.timeLimit))
      } catch {
        await program.stop()
        throw error
      }
      for await _ in program.store.follow() {}
      await program.stop()
    }
  }

  @MainActor
  private func connect(_ client: ClientRequest) async throws(CommandError) {
    try await connect(headphone(of: client))
  }

  @MainActor
  private func connect(_ headphone: SharedHeadphone) async throws(CommandError) {
    try await linked(headphone, id) { () throws(CommandError) in
      headphone.keepLink()
      headphone.select()
      guard let id = headphone.headphone?.id else { return }
      Output.data(AnswerReport("connected", id.rawValue), asJSON: options.json)
    }
  }
}

struct DisconnectCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect",
    abstract: "Drop the control link that a running earshot keeps; the sound stays.",
    discussion: """
      EXAMPLES:
        earshot disconnect
        earshot disconnect --device f0f1
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  var needsLink: Bool { false }

  @MainActor
  func run() async throws {
    try await share(client: disconnect) { (_: Ownership) in
      throw exitCode(for: .unavailable("no earshot runs that keeps a link"))
    }
  }

  @MainActor
  private func disconnect(_ client: ClientRequest) async throws(CommandError) {
    let state = client.store.state
    let headphone =
      options.device.map { selector in state.headphones.first { $0.matches(selector) } }
      ?? state.headphones.selected
    guard let headphone, headphone.isWanted else {
      throw .notConnected
    }
    var view = state.firstViewpoint
    view.selected = headphone.id
    _ = client.store.send(.pressed(.dropControlLink), from: view)
    Output.data(AnswerReport("disconnected", headphone.id.rawValue), asJSON: options.json)
  }
}
