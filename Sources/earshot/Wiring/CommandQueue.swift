import Companion
import CompanionRuntime
import Glibc
import Headphones

/// Says on a terminal what a command waits for, as soon as that takes longer than a moment.
@MainActor
enum CommandQueue {
  /// Does `work`, with a line on standard error that goes when it is done; elsewhere nothing is
  /// said.
  static func shown(
    for command: CommandTarget, _ work: @MainActor () async throws(CommandError) -> Void
  ) async throws(CommandError) {
    // Another process shows it only if its own standard error is a terminal.
    guard ClientRequest.current != nil || isatty(STDERR_FILENO) == 1 else {
      return try await work()
    }
    let reporting = Task {
      var shown: String?
      while (try? await ContinuousClock().sleep(for: .seconds(1))) != nil {
        let words = words(for: command.headphone)
        if words != shown { Output.status("\r\(words)\u{1B}[K") }
        shown = words
      }
      if shown != nil { Output.status("\r\u{1B}[K") }
    }
    let outcome: Result<Void, CommandError>
    do throws(CommandError) { outcome = .success(try await work()) } catch {
      outcome = .failure(error)
    }
    reporting.cancel()
    await reporting.value
    try outcome.get()
  }

  private static func words(for headphone: HeadphoneState?) -> String {
    guard let headphone else { return "looking for headphones..." }
    let name = displayable(headphone.name)
    return headphone.link.isReady ? "waiting for \(name)..." : "linking with \(name)…"
  }
}
