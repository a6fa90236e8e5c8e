import ArgumentParser
import Bluetooth
import CompanionRuntime
import Glibc
import VirtualHeadphones

struct SimulateCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Run virtual headphones that other processes can use.",
    discussion: """
      Others see them with `--adapter virtual` while this runs. Each line on standard input lets
      something happen to the headphones whose names begin so:

        aurora in left            a bud goes into an ear; also: out, case
        aurora lid open           also: closed
        aurora charger on         also: off
        aurora level right 15     %
        aurora touch left hold    also: tap, double-tap, triple-tap
        aurora anc transparency   the button on the headphone
        aurora vanish             out of range; also: return, drop

      EXAMPLES:
        earshot simulate
        echo "aurora level left 9" | earshot simulate & earshot watch --adapter virtual
      """)

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    var options = options
    options.adapter = "virtual"
    let place = options.endpoint
    let role = await place?.join(within: options.timeoutDuration)
    try await wired(options) { wiring throws(CommandError) in
      guard place == nil || role?.isOwner == true, let radio = wiring.virtual else {
        throw .unavailable("another earshot has virtual headphones; end it first")
      }
      let program = HeadlessApp(wiring, listener: role?.listener, log: logWriter(wiring))
      program.start(autoConnect: wiring.autoConnect(options))
      let playing = Task { await play(with: radio) }
      for await _ in program.store.states {}
      playing.cancel()
      await program.stop()
    }
  }

  @MainActor
  private func play(with radio: VirtualRadio) async {
    let input = LineReader(STDIN_FILENO)
    while let line = await input.next() {
      guard let order = SimulationOrder(line) else {
        if !line.allSatisfy(\.isWhitespace) { Output.message("not understood: \(line)") }
        continue
      }
      let meant = radio.headphones.filter {
        $0.model.name.lowercased().hasPrefix(order.name.lowercased())
      }
      if meant.isEmpty { Output.message("no headphone is called \(order.name)") }
      for headphone in meant { await order.deed.happen(to: headphone) }
    }
  }
}
