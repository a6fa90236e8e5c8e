import ArgumentParser
import AudioRoute
import BluetoothRadio
import CompanionRuntime
import Configuration
import Glibc
import Sharing
import VirtualHeadphones

/// The command `earshot simulate`: virtual headphones for other processes.
///
/// It owns the adapter "virtual" or "virtual-quiet"; other commands and screens with that adapter
/// are its clients. Lines on standard input are ``SimulationCommand``s.
struct SimulateCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Run virtual headphones that other processes can use.",
    discussion: """
      Others see them with `--adapter virtual` while this runs, or with `--adapter \
      virtual-quiet` where that is given. Each line on standard input acts on the headphones \
      whose names begin with its first word:

        aurora in left            a bud goes into an ear; also: out, case
        aurora lid open           also: closed
        aurora charger on         also: off
        aurora level right 15     %
        aurora touch left hold    also: tap, double-tap, triple-tap
        aurora anc transparency   the button on the headphone
        aurora vanish             out of range; also: return, drop
        aurora call Zoom          a program uses its microphone; off ends that
        aurora play mpv           a program plays; off ends that

      EXAMPLES:
        earshot simulate
        earshot simulate --adapter virtual-quiet    # they do only what you ask for
        echo "aurora level left 9" | earshot simulate &
        earshot watch --adapter virtual
      """)

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  @MainActor
  func run() async throws {
    var options = options
    if let environment = options.environment, environment != .own {
      throw ValidationError(
        "simulate takes no \"\(environment.rawValue)\"\nit takes virtual, virtual-quiet")
    }
    // Headphones of "virtual-quiet" do nothing without a command.
    if !options.isQuiet { options.adapter = "virtual" }
    StandardConsole.neverBlock()
    let place = options.endpoint
    let role = await place?.join(within: options.timeoutDuration)
    try await withDependencies(options) { parts throws(CommandError) in
      guard place == nil || role?.isOwner == true, let radio = parts.virtual,
        let sound = parts.sound
      else {
        throw .unavailable("another earshot has virtual headphones; end it first")
      }
      let program = app(parts, listener: role?.listener)
      await program.start(autoConnect: parts.autoConnect(options))
      let playing = Task { await play(with: radio, sound) }
      for await _ in program.store.states {}
      playing.cancel()
      await program.stop()
    }
  }

  @MainActor
  private func play(with radio: VirtualRadio, _ sound: ScriptedAudioSource) async {
    let input = LineReader(STDIN_FILENO)
    while let line = await input.next() {
      guard let command = SimulationCommand(line) else {
        if !line.allSatisfy(\.isWhitespace) {
          StandardConsole.shared.message("not understood: \(line)")
        }
        continue
      }
      let meant = radio.headphones.filter {
        $0.model.name.lowercased().hasPrefix(command.name.lowercased())
      }
      if meant.isEmpty { StandardConsole.shared.message("no headphone is called \(command.name)") }
      for headphone in meant { await command.kind.happen(to: headphone, with: sound) }
    }
  }
}
