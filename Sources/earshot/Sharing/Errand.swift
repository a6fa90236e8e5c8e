import ArgumentParser
import CompanionRuntime
import Configuration
import Glibc

/// A command that a running `earshot` can do for others.
///
/// The program that owns the link runs it with ``Visit/current`` set.
protocol SharedCommand: ReportingCommand {}

extension SharedCommand {
  /// Lets the process that owns the link do this command; false: there is none.
  ///
  /// - Throws: the exit code with which it ended there.
  @MainActor
  func sendToOwner() async throws -> Bool {
    guard Visit.current == nil, let channel = options.meetingPlace?.connect() else { return false }
    guard options.capture != nil else { return try await errand(on: channel) }
    var isDone = false
    try await wired { wiring throws(CommandError) in
      guard wiring.capturesAll else {
        throw .unavailable(
          "another earshot has the link, and only CAP_NET_RAW lets this one see its traffic; "
            + "end it, or start it with --capture")
      }
    } then: {
      isDone = try await errand(on: channel)
    }
    return isDone
  }

  @MainActor
  private func errand(on channel: LineChannel) async throws -> Bool {
    let request = Request(
      arguments: Array(CommandLine.arguments.dropFirst()), directory: WorkingFolder.path,
      hasTerminal: Terminal.isThere)
    guard await channel.send(request.json) else { return false }
    // An owner that was suspended takes the request and says nothing.
    let patience = Task {
      guard (try? await ContinuousClock().sleep(for: .seconds(5))) != nil else { return false }
      await channel.close()
      return true
    }
    defer { patience.cancel() }
    if options.isVirtual { Output.message("these headphones are virtual") }
    var typing: Task<Void, Never>?
    defer { typing?.cancel() }
    while let line = await channel.next() {
      patience.cancel()
      switch Answer(line: line) {
      case .output(let text)?: Output.data(text)
      case .message(let text)?: Output.message(text)
      case .progress(let text)?: if isatty(STDERR_FILENO) == 1 { Output.status(text) }
      case .ask(let number)?:
        let previous = typing
        previous?.cancel()
        typing = Task {
          // One at a time reads what is typed.
          await previous?.value
          let line = await Terminal.line()
          guard !Task.isCancelled else { return }
          _ = await channel.send(Reply(number: number, text: line).json)
        }
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

  /// A file that the command line names, wherever the command runs.
  func path(_ named: String) -> String { Visit.current?.path(named) ?? named }
}

extension CommonOptions {
  /// Where the processes that use the same adapter meet; nil: nowhere.
  var meetingPlace: MeetingPlace? {
    let configured = ConfigurationFile().read().configuration.connection.adapter
    return MeetingPlace(adapter: adapter ?? configured)
  }
}
