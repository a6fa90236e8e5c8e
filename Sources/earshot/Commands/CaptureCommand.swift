import ArgumentParser
import BluetoothRadio
import CompanionRuntime
import Sharing

/// The command `earshot capture`.
///
/// With CAP_NET_RAW it records all traffic of the adapter. Without, it records the link that it
/// makes itself, and so must be the owner. With `--redact`, names, addresses and keys are replaced
/// by others of the same length before they are written, and sound is erased.
struct CaptureCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture",
    abstract: "Record Bluetooth traffic to a btsnoop file until interrupted.",
    discussion: """
      With CAP_NET_RAW it records all traffic of the machine, also other programs'. Without \
      it, it records the link that it makes itself, so no other earshot may own that link.

      With --redact names, addresses, serial numbers and keys are replaced by others of the same \
      length: it can be shared, and Wireshark reads it as before.

      EXAMPLES:
        earshot capture session.btsnoop
        earshot capture session.btsnoop --device aurora
        earshot capture for-the-bug-report.btsnoop --redact
        tshark -r session.btsnoop -Y btatt
      """)

  @Argument(help: "The file; an existing one is overwritten.", completion: .file())
  var file: String

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  /// Opens the file before anything is connected, so that it contains the first PDU.
  @MainActor
  func run() async throws {
    var options = options
    options.capture = file
    let place = options.endpoint
    let role = await place?.join(within: options.timeoutDuration)
    try await withDependencies(options) { parts throws(CommandError) in
      guard place == nil || role?.isOwner == true else {
        guard parts.capturesAll else {
          throw .unavailable(
            "another earshot has the link; end it, or start it with --capture \(file)")
        }
        StandardConsole.shared.message("writing all traffic to \(file); ^C ends it")
        for await _ in AsyncStream<Never>.makeStream().stream {}
        return
      }
      let program = app(parts, listener: role?.listener)
      await program.start(autoConnect: parts.autoConnect(options))
      StandardConsole.shared.message("writing to \(file); ^C ends it")
      await program.run { for await _ in program.store.states {} }
      await program.stop()
    }
  }
}
