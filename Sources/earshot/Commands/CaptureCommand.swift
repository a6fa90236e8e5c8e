import ArgumentParser
import Bluetooth
import CompanionRuntime

struct CaptureCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Record Bluetooth traffic to a btsnoop file until interrupted.",
    discussion: """
      With CAP_NET_RAW it is all traffic of the machine, that of other programs too. Else it is the
      traffic of a link that this command keeps, for which no other earshot may have it.

      With --redact names, addresses, serial numbers and keys are replaced by others of the same
      length: it can be given away, and Wireshark reads it as before.

      EXAMPLES:
        earshot capture session.btsnoop
        earshot capture session.btsnoop --device aurora
        earshot capture for-the-bug-report.btsnoop --redact
        tshark -r session.btsnoop -Y btatt
      """)

  @Argument(help: "The file; what was in it is lost.")
  var file: String

  @ParentCommand var root: Earshot
  @OptionGroup var common: CommonOptions

  @MainActor
  func run() async throws {
    var options = options
    options.capture = file
    let place = options.endpoint
    let role = await place?.join(within: options.timeoutDuration)
    try await wired(options) { wiring throws(CommandError) in
      guard place == nil || role?.isOwner == true else {
        guard wiring.capturesAll else {
          throw .unavailable(
            "another earshot has the link; end it, or start it with --capture \(file)")
        }
        Output.message("writing all traffic to \(file); ^C ends it")
        for await _ in AsyncStream<Never>.makeStream().stream {}
        return
      }
      let program = HeadlessApp(wiring, listener: role?.listener, log: logWriter(wiring))
      program.start(autoConnect: wiring.autoConnect(options))
      Output.message("writing to \(file); ^C ends it")
      for await _ in program.store.states {}
      await program.stop()
    }
  }
}
