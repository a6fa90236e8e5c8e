import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols
import Sharing

struct ANCCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = [
    "noise", "noise-control", "nc", "anc status", "anc show", "anc get",
    .init("transparency", as: "transparency"), .init("transparency on", as: "transparency"),
    .init("transparency off", as: "off"), .init("adaptive", as: "adaptive"),
    .init("noise-cancelling", as: "noise-cancelling"),
    .init("noise-cancelling on", as: "noise-cancelling"), .init("noise-cancelling off", as: "off"),
    .init("anc normal", as: "off"),
    .init("anc passthrough", as: "transparency"), .init("anc ambient", as: "transparency"),
    .init("anc --list", as: "--help"), .init("anc list", as: "--help"),
  ]

  static let configuration = CommandConfiguration(
    commandName: "anc",
    abstract: "Show or set noise control.",
    discussion: """
      Returns when the headphone has confirmed the change.

      EXAMPLES:
        earshot anc
        earshot anc noise-cancelling
        earshot anc next
        earshot anc toggle        (transparency and back)
      """)

  @Argument(help: "The mode, or next, previous or toggle; 1 to 4 as on the screen.")
  var change: ANCArgument?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var hasStep: Bool { change?.isStep == true }

  var isReading: Bool { change == nil }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    try await known(headphone)
    if let change = change?.resolved(in: context) { try await headphone.press(change.command) }
    return headphone.headphone.map(ANCReport.init)
  }

  /// Resolves a step to a mode, so that a retry does not step twice.
  @MainActor
  func resolveStep(of headphone: CommandTarget) async throws(CommandError) -> String? {
    guard let change else { return nil }
    try await known(headphone)
    guard case .setANC(let mode)? = try await headphone.resolve(change.command) else { return nil }
    return mode.name
  }

  @MainActor
  private func known(_ headphone: CommandTarget) async throws(CommandError) {
    try headphone.require(.nextANC)
    try await headphone.until { $0.setting(.noiseMode).confirmed != nil }
  }
}

/// The command `earshot find`, which unlike the key does not ask.
struct FindCommand: ConnectedCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["ring", "locate", "beep"]

  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Ring the earbuds to find them.",
    discussion: """
      The headphone refuses to ring a bud that is in an ear. It rings until `find stop`.

      EXAMPLES:
        earshot find
        earshot find left
        earshot find aurora right
        earshot find stop
      """)

  @OptionGroup var arguments: HeadphoneArguments<FindArgument>

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  var headphone: String? { arguments.headphone }

  @MainActor
  func report(
    of headphone: CommandTarget, in context: CommandContext
  ) async throws(CommandError) -> (any Report)? {
    let buds = arguments.value ?? .both
    try headphone.require(\.hasFind, "sound to find it by")
    try await headphone.perform(buds.command)
    return ValueReport(.find, buds.rawValue)
  }
}
