import ArgumentParser
import Companion
import CompanionRuntime
import HeadphoneProtocols

struct ANCCommand: SharedCommand {
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

  @Argument(help: "What to change to.")
  var change: ANCArgument?

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  var hasStep: Bool { change?.isStep == true }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context, isReading: change == nil) {
      headphone throws(CommandError) in
      try await known(headphone)
      if let change = change?.resolved(in: context) { try await headphone.press(change.command) }
    } report: { headphone, _ in
      ANCReport(headphone)
    }
  }

  @MainActor
  func resolveStep(in context: CommandContext) async throws(CommandError) -> String? {
    guard let change, change.isStep else { return nil }
    let target = target(in: context)
    var command: HeadphoneCommand?
    try await linked(target, selector(in: context)) { () throws(CommandError) in
      try await known(target)
      command = try await target.resolve(change.command)
    }
    guard case .setANC(let mode)? = command else { return nil }
    return mode.name
  }

  @MainActor
  private func known(_ headphone: CommandTarget) async throws(CommandError) {
    try headphone.require({ !$0.ancModes.isEmpty }, "noise control")
    try await headphone.until { $0.anc.confirmed != nil }
  }
}

struct FindCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "find",
    abstract: "Ring the earbuds to find them.",
    discussion: """
      The headphone refuses for a bud that is in an ear. It sounds until `find stop`.

      EXAMPLES:
        earshot find
        earshot find left
        earshot find stop
      """)

  @Argument(help: "Which buds.")
  var buds = FindArgument.both

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context) { headphone throws(CommandError) in
      try await headphone.perform(buds.command)
    } report: { headphone, _ in
      AnswerReport("find", buds.rawValue)
    }
  }
}

struct VolumeCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume",
    abstract: "Set the headphone's own volume, where it has the Volume Control service.",
    discussion: """
      The volume of the sound server is another one; `earshot status` shows both.

      EXAMPLES:
        earshot volume 40
      """)

  @Argument(help: "0 to 100.")
  var level: UInt8

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard level <= 100 else { throw ValidationError("The volume goes from 0 to 100.") }
  }

  @MainActor
  func run(in context: CommandContext) async throws(CommandError) {
    try await withHeadphone(in: context) { headphone throws(CommandError) in
      try headphone.require(\.hasVolume, "volume")
      let isMuted = headphone.headphone?.volume.confirmed?.isMuted ?? false
      try await headphone.perform(
        .setVolume(HeadphoneVolume(level: level, isMuted: isMuted)))
    } report: { _, _ in
      AnswerReport("volume", "\(level)")
    }
  }
}
