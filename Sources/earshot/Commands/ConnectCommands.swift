import ArgumentParser
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

  var keepsLink: Bool { true }

  @MainActor
  func run() async throws {
    if let visit = Visit.current { return try await connect(visit) }
    try await sendToOwner(at: options.meetingPlace, orOwn: keep)
  }

  @MainActor
  private func keep(_ doorway: Doorway?) async throws {
    try await wired { wiring throws(CommandError) in
      let program = Background(
        wiring, doorway: doorway, autoPause: root.autoPause, log: tell(wiring))
      program.start(autoConnect: .matching(id))
      var wasReady = false
      for await state in program.store.follow() {
        let isReady = state.headphones.contains { $0.matches(id) && $0.link.isReady }
        if isReady, !wasReady {
          let answer = Output.text(of: AnswerReport("connected", id), asJSON: options.json)
          guard await Output.deliver(answer) else { break }
        }
        wasReady = isReady
      }
      await program.stop()
    }
  }

  @MainActor
  private func connect(_ visit: Visit) async throws {
    try await shared(visit, id) { headphone throws(CommandError) in
      headphone.keepLink()
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

  @MainActor
  func run() async throws {
    guard let visit = Visit.current else {
      guard try await !sendToOwner() else { return }
      Output.message("no earshot runs that keeps a link")
      throw ExitCode(ExitStatus.failed.rawValue)
    }
    let state = visit.store.state
    let headphone =
      options.device.map { selector in state.headphones.first { $0.matches(selector) } }
      ?? state.headphones.selected
    guard let headphone, headphone.isWanted else {
      Output.message("it is not connected")
      throw ExitCode(ExitStatus.notFound.rawValue)
    }
    var view = state.firstViewpoint
    view.selected = headphone.id
    _ = visit.store.send(.pressed(.dropControlLink), from: view)
    Output.data(AnswerReport("disconnected", headphone.id.rawValue), asJSON: options.json)
  }
}
