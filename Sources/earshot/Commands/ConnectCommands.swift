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

  var lifetime: CommandLifetime { .keepsLink }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let target = target(in: context)
    try await linked(target, id, retries: true) { () throws(CommandError) in
      target.keepLink()
      target.select()
      guard let id = target.headphone?.id else { return }
      Output.data(AnswerReport("connected", id.rawValue), asJSON: options.json)
    }
  }
}

struct DisconnectCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect",
    abstract: "Disconnect the controls; audio stays connected.",
    discussion: """
      EXAMPLES:
        earshot disconnect
        earshot disconnect --device f0f1
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  var needsLink: Bool { false }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    guard ClientRequest.current != nil else {
      throw .unavailable("no earshot runs that keeps a link")
    }
    let state = context.store.state
    let headphone =
      options.device.map { selector in state.headphones.first { $0.matches(selector) } }
      ?? state.headphones.selected
    guard let headphone, headphone.isWanted else {
      throw .notConnected
    }
    context.store.press(.dropControlLink, for: headphone.id)
    Output.data(AnswerReport("disconnected", headphone.id.rawValue), asJSON: options.json)
  }
}
