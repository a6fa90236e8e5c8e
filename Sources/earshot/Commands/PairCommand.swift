import ArgumentParser
import Bluetooth
import Companion
import CompanionRuntime
import GATT
import Persistence

struct PairCommand: SharedCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair",
    abstract: "Pair with a headphone, or pair with it again.",
    discussion: """
      What pairing asks is asked in the terminal: whether to pair at all, whether the headphone \
      shows the same number, or for the number that it shows. The keys are kept for later runs.

      EXAMPLES:
        earshot pair f0f1
        earshot pair "Cipher Studio" --yes
        earshot pair f0f1 --passkey 031415
      """)

  @Argument(help: "The beginning of its identity, address or name.")
  var id: String

  @Flag(name: .shortAndLong, help: "Answer yes to all that a yes is an answer to.")
  var yes = false

  @Option(help: .init("The headphone's number, should it be asked for.", valueName: "digits"))
  var passkey: String?

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if let passkey, Passkey(digits: passkey) == nil {
      throw ValidationError("--passkey takes six digits.")
    }
  }

  @MainActor
  func run() async throws {
    var command = self
    command.common.device = id
    try await command.share(client: command.pair, alone: command.pairAlone)
  }

  @MainActor
  private func pair(_ client: ClientRequest) async throws(CommandError) {
    let prompt = prompt(at: client.effects.world.agent)
    var prompting: Task<Void, Never>?
    defer { prompting?.cancel() }
    let headphone = headphone(of: client)
    let failure = try await headphone.pair(id) { events in
      prompting = Task { await prompt.run(events) }
    }
    report(audio: failure)
    let paired = headphone.headphone?.id.rawValue ?? id
    Output.data(AnswerReport("paired", paired), asJSON: options.json)
  }

  @MainActor
  private func pairAlone(_ wiring: LiveDependencies) async throws(CommandError) {
    let agent = wiring.world.agent
    let prompt = prompt(at: agent)
    // Where nobody can be asked, consent is given by the command itself, and numbers by nobody.
    let prompting =
      prompt.canAnswer
      ? Task { [events = agent.events()] in await prompt.run(events) } : nil
    defer { prompting?.cancel() }
    let paired = try await pair(wiring)
    Output.data(AnswerReport("paired", paired.rawValue), asJSON: options.json)
  }

  private func prompt(at agent: PairingAgent) -> PairingPrompt {
    PairingPrompt(agent: agent, saysYes: yes, passkey: passkey.flatMap { Passkey(digits: $0) })
  }

  /// Keys that the headphone has forgotten stand in the way of new ones: they go first.
  @MainActor
  private func pair(_ wiring: LiveDependencies) async throws(CommandError) -> HeadphoneID {
    do throws(CommandError) {
      return try await attempt(wiring)
    } catch .failed(.keysMismatch) {
      Output.message("the headphone forgot this computer: pairing again")
      if let peer = (try? wiring.world.known.addresses(matching: id))?.first,
        let rest = await wiring.world.unpair(peer)
      {
        Output.message(rest)
      }
      return try await attempt(wiring)
    }
  }

  @MainActor
  private func attempt(_ wiring: LiveDependencies) async throws(CommandError) -> HeadphoneID {
    let command = StandaloneCommand(
      world: wiring.world, finder: wiring.finder, log: logWriter(wiring))
    do throws(CommandError) {
      try await command.run { (command) async throws(CommandError) in
        report(audio: try await command.pair())
      }
    } catch {
      guard command.headphone?.isAudioOnly == true else { throw error }
      try await command.pairSound()
    }
    return command.id ?? HeadphoneID(rawValue: id)
  }

  /// Tells why the audio side is not paired, though the other one is.
  private func report(audio failure: FailureReason?) {
    guard let failure else { return }
    Output.message([failure.wordsOfAudioSide, failure.advice].joined(separator: "\n"))
  }
}
