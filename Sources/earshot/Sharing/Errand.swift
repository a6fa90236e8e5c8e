import ArgumentParser
import CompanionRuntime
import Configuration

/// A command that a running `earshot` can do for others.
///
/// The program that owns the link runs it with ``Visit/current`` set.
protocol SharedCommand: ReportingCommand {
  /// The command line as the owner of the link is to take it, without the program's name.
  var wordsForOwner: [String] { get }
}

extension SharedCommand {
  var wordsForOwner: [String] { Array(CommandLine.arguments.dropFirst()) }

  /// Lets the process that owns the link do this command; false: there is none.
  ///
  /// - Throws: the exit code with which it ended there.
  @MainActor
  func sendToOwner() async throws -> Bool {
    // The traffic that is to be captured is this process's own.
    guard Visit.current == nil, options.capture == nil,
      let channel = options.meetingPlace?.connect()
    else { return false }
    let request = Request(arguments: wordsForOwner)
    guard await channel.send(request.json) else { return false }
    // An owner that was suspended takes the request and says nothing.
    let patience = Task {
      guard (try? await ContinuousClock().sleep(for: .seconds(5))) != nil else { return false }
      await channel.close()
      return true
    }
    defer { patience.cancel() }
    if options.isVirtual { Output.message("these headphones are virtual") }
    while let line = await channel.next() {
      patience.cancel()
      switch Answer(line: line) {
      case .output(let text)?: Output.data(text)
      case .message(let text)?: Output.message(text)
      case .end(.ok)?: return true
      case .end(let status)?: throw ExitCode(status.rawValue)
      case .begun?, nil: continue
      }
    }
    patience.cancel()
    // Else it has left before it was done.
    guard await patience.value else { return false }
    Output.message(
      "the earshot that owns the link does not answer\nit may be suspended: bring it back with fg")
    throw ExitCode(ExitStatus.linkLost.rawValue)
  }
}

extension CommonOptions {
  /// Where the processes that use the same adapter meet; nil: nowhere.
  var meetingPlace: MeetingPlace? {
    let configured = ConfigurationFile().read().configuration.connection.adapter
    return MeetingPlace(adapter: adapter ?? configured)
  }
}
