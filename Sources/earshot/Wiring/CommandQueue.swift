import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import Sharing

/// Shows on a terminal what a command waits for, if that takes longer than 1 s.
///
/// On stderr, and only if that is a terminal: output that is piped stays clean.
@MainActor
enum CommandQueue {
  /// Runs `work` with a line of progress, which is removed at its end.
  ///
  /// - Parameter pause: Keeps the line away while it is on.
  static func shown(
    for command: CommandTarget, on console: any Console, pause: ProgressPause? = nil,
    _ work: @MainActor () async throws(CommandError) -> Void
  ) async throws(CommandError) {
    guard console.showsProgress else { return try await work() }
    let reporting = Task {
      var shown: String?
      while (try? await MainLoop.clock.sleep(for: .seconds(1))) != nil {
        let words = words(for: command.headphone)
        guard words != shown, pause?.isOn != true else { continue }
        console.progress("\r\(words)\u{1B}[K")
        shown = words
      }
      if shown != nil { console.progress("\r\u{1B}[K") }
    }
    let outcome: Result<Void, CommandError>
    do throws(CommandError) { outcome = .success(try await work()) } catch {
      outcome = .failure(error)
    }
    reporting.cancel()
    await reporting.value
    try outcome.get()
  }

  /// What is awaited: a headphone, its link, or its answer.
  private static func words(for headphone: HeadphoneState?) -> String {
    guard let headphone else { return "looking for headphones..." }
    let name = displayable(headphone.name)
    return headphone.link.isReady ? "waiting for \(name)..." : "connecting to \(name)..."
  }
}

/// Whether a question stands where the line of progress would be written.
@MainActor
final class ProgressPause {
  private(set) var isOn = false

  func set(_ isOn: Bool) { self.isOn = isOn }
}
