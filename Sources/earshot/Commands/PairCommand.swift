import ArgumentParser
import BluetoothAttributes
import BluetoothRadio
import Companion
import CompanionRuntime
import Persistence
import Sharing

/// The command `earshot pair`, which pairs LE and the BR/EDR audio side.
///
/// Questions are asked in the terminal, also when the command runs in an owner. Without a terminal,
/// `--yes`, `--passkey` and `--pin` answer; without those, nothing is paired. A headphone that lost
/// its keys is paired a second time with new ones. If only the audio side fails, that is no error.
struct PairCommand: ReportCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["add"]

  static let configuration = CommandConfiguration(
    commandName: "pair",
    abstract: "Pair with a headphone, or pair with it again.",
    discussion: """
      Questions are asked in the terminal: whether to pair at all, whether the headphone \
      shows the same number, which number it shows, or which PIN it has. The keys are kept for \
      later runs.

      EXAMPLES:
        earshot pair f0f1
        earshot pair "Cipher Studio" --yes
        earshot pair f0f1 --passkey 031415
        earshot pair "Old Speaker" --pin 4711
      """)

  @Argument(
    help: .init(ArgumentHelp.namedHeadphone.abstract, valueName: "headphone"),
    completion: .headphones)
  var headphone: String?

  @Flag(
    name: .shortAndLong,
    help: "Answer yes to every yes-or-no question, and 0000 for a PIN where there is no terminal.")
  var yes = false

  @Option(help: .init("The headphone's number, in case it is asked for.", valueName: "digits"))
  var passkey: String?

  @Option(
    help: .init(
      "The PIN of a headphone older than Bluetooth 2.1, in case it is asked for.",
      valueName: "PIN"))
  var pin: String?

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  private var named: String? { headphone ?? options.device }

  func validate() throws {
    guard named != nil else {
      throw ValidationError("pair needs <headphone>\nfor example: earshot pair f0f1")
    }
    if let passkey, Passkey(digits: passkey) == nil {
      throw ValidationError("not a passkey\n--passkey takes six digits")
    }
    if let pin, PIN(pin) == nil {
      throw ValidationError("not a PIN\n--pin takes 1 to 16 characters")
    }
  }

  @MainActor
  func report(in context: CommandContext) async throws(CommandError) -> any Report {
    guard let named else { throw .notKnown(selector: nil) }
    let prompt = PairingPrompt(
      agent: context.effects.dependencies.agent, console: context.console, saysYes: yes,
      passkey: passkey.flatMap { Passkey(digits: $0) }, pin: pin.flatMap { PIN($0) },
      pause: ProgressPause())
    var prompting: Task<Void, Never>?
    defer { prompting?.cancel() }
    let target = target(in: context)
    let asked: ((AsyncStream<PairingAgent.Event>) -> Void)? =
      prompt.canReply ? { events in prompting = Task { await prompt.run(events) } } : nil
    var failure: FailureReason?
    try await WaitingIndicator.shown(for: target, on: context.console, pause: prompt.pause) {
      () throws(CommandError) in
      failure = try await target.pair(named, asked: asked) {
        context.console.message("the headphone forgot this computer: pairing again")
      }
    }
    // LE pairing is complete even if the audio side failed.
    if let failure {
      context.console.message([failure.wordsOfAudioSide, failure.advice].joined(separator: "\n"))
    }
    return ValueReport(
      .pairing, target.headphone?.id.rawValue ?? named,
      sentence: "Paired with \(target.headphone?.name ?? named)")
  }
}
