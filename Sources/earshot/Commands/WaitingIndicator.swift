import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import Sharing

/// A line on standard error that says what a command waits for, after 1 s.
///
/// Without a terminal it prints once, after 3 s, that it looks for a headphone.
@MainActor
enum WaitingIndicator {
  /// Runs `work` with a line of progress, which is hidden while `pause` is on.
  static func shown(
    for command: CommandTarget, on console: any Console, pause: ProgressPause? = nil,
    _ work: @MainActor () async throws(CommandError) -> Void
  ) async throws(CommandError) {
    let reporting = Task {
      var shown: String?
      let first: Duration = console.showsProgress ? .seconds(1) : .seconds(3)
      while (try? await MainLoop.clock.sleep(for: shown == nil ? first : .seconds(1))) != nil {
        let words = words(for: command.headphone)
        guard console.showsProgress else {
          if command.headphone == nil { console.message(words) }
          return
        }
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

  private static func words(for headphone: HeadphoneState?) -> String {
    guard let headphone else { return "looking for headphones..." }
    let name = displayable(headphone.name)
    return headphone.link.isReady ? "waiting for \(name)..." : "connecting to \(name)..."
  }
}

/// Whether an open question occupies the line of progress.
@MainActor
final class ProgressPause {
  private(set) var isOn = false

  func set(_ isOn: Bool) { self.isOn = isOn }
}
