import ArgumentParser
import BluetoothRadio
import Companion
import CompanionRuntime
import Sharing

/// The command `earshot connect`.
///
/// In an owner it returns when the headphone is ready, and selects the headphone there. Without an
/// owner it becomes one: it keeps the link and serves other commands until it is interrupted.
struct ConnectCommand: SharedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = [
    "reconnect", .init("use *", as: "*", isSuggested: true),
    .init("default *", as: "*", isSuggested: true), .init("switch *", as: "*", isSuggested: true),
    .init("* connect", as: "*", isSuggested: true),
  ]

  static let configuration = CommandConfiguration(
    commandName: "connect",
    abstract: "Connect a headphone.",
    discussion: """
      Returns when it is ready, if a screen, `earshot agent` or `earshot watch` keeps the link. \
      Otherwise it keeps the link itself until it is interrupted.

      EXAMPLES:
        earshot connect
        earshot connect f0f1
        earshot connect aurora --timeout 60
      """)

  @Argument(help: .headphone, completion: .headphones)
  var headphone: String?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var lifetime: CommandLifetime { .keepsLink }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    let target = target(in: context)
    guard let id = selector(in: context) ?? target.state.headphones.lastUsed?.id.rawValue
    else { throw .notKnown(selector: nil) }
    try await linked(target, id, on: context.console, retries: true) { () throws(CommandError) in
      target.keepLink()
      target.select()
      guard let headphone = target.headphone else { return }
      context.console.data(
        ValueReport(
          .connection, headphone.id.rawValue, sentence: "Connected \(headphone.name)"),
        asJSON: options.json)
      if context.client == nil {
        context.console.message("keeping the link for other commands; ^C ends it")
      }
    }
  }
}

/// The command `earshot disconnect`, after which nothing reconnects the headphone automatically.
struct DisconnectCommand: ReportCommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect",
    abstract: "Disconnect the controls; audio stays connected.",
    discussion: """
      EXAMPLES:
        earshot disconnect
        earshot disconnect aurora
      """)

  @Argument(help: .headphone, completion: .headphones)
  var headphone: String?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var needsLink: Bool { false }

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    guard context.client != nil else {
      throw .unavailable("nothing to disconnect\nno screen, agent, connect or watch keeps a link")
    }
    let target = target(in: context)
    try target.chooseKnown(headphone ?? options.device)
    guard let headphone = target.headphone, headphone.link.isWanted else {
      throw .notConnected
    }
    context.store.press(.dropControlLink, for: headphone.id)
    return ValueReport(
      .disconnection, headphone.id.rawValue, sentence: "Disconnected \(headphone.name)")
  }
}
