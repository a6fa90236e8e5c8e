package import CompanionRuntime
internal import EventLoop

/// The client side of a command in the owner; output and questions are handled in order.
@MainActor
package final class RemoteCommand {
  package enum Outcome: Hashable, Sendable {
    case ended(ExitStatus, resolved: String?)
    /// The owner exited; `resolved` is the value of the step if it was resolved before.
    case left(hasBegun: Bool, hasResponded: Bool, resolved: String? = nil)
    case declined
    /// The owner runs its own command, for which this one need not wait.
    case busy
    case lost(OwnerUnavailable)
  }

  private let connection: LineConnection
  private let request: Request
  private let waits: Bool
  private let console: any Console
  private let clock: any Clock<Duration>
  private let accepted: @MainActor (CommandTraits) -> Void
  private var liveness: OwnerLivenessMonitor
  private var hasBegun = false
  private var hasResponded = false
  private var resolved: String?
  private var hasStep = false
  private var loss: OwnerUnavailable?
  private var typing: Task<Void, Never>?
  private var isLineShown = false

  /// Creates a command.
  ///
  /// - Parameters:
  ///   - limit: How long an owner may be stopped, silent or busy, or nil for no limit.
  ///   - waits: Whether to wait for an owner that runs its own command.
  ///   - accepted: Receives the traits of the command if the owner has parsed it.
  package init(
    _ request: Request, on connection: LineConnection, limit: Duration?, waits: Bool,
    console: any Console = StandardConsole.shared, clock: any Clock<Duration> = LoopClock(.shared),
    accepted: @escaping @MainActor (CommandTraits) -> Void = { _ in }
  ) {
    self.accepted = accepted
    self.connection = connection
    self.request = request
    self.waits = waits
    self.console = console
    self.clock = clock
    liveness = OwnerLivenessMonitor(limit: limit)
  }

  package func run() async -> Outcome {
    guard await connection.send(request.json) else { return left }
    let monitoring = Task { await monitorOwner() }
    defer {
      monitoring.cancel()
      typing?.cancel()
      showLine(nil)
    }
    while let line = await connection.next() {
      guard let message = OwnerMessage(line: line) else { continue }
      liveness.receive(message)
      switch message {
      case .end(let status): return .ended(status, resolved: resolved)
      case .busy: if !waits { return .busy }
      case .command(let traits):
        hasStep = traits.hasStep
        accepted(traits)
      case .declined: return .declined
      case .begun: hasBegun = true
      case .resolved(let value): resolved = value
      case .output(let text):
        hasResponded = true
        console.data(text)
      case .message(let text): console.message(text)
      case .progress(let text): if console.showsProgress { console.progress(text) }
      case .ask(let number): reply(to: number)
      case .alive: break
      }
    }
    return loss.map(Outcome.lost) ?? left
  }

  private var left: Outcome {
    .left(hasBegun: mayBeDone, hasResponded: hasResponded, resolved: resolved)
  }

  /// Whether the owner may have changed something; resolving a step changes nothing.
  private var mayBeDone: Bool {
    hasBegun && request.purpose != .resolve && !(hasStep && resolved == nil)
  }

  /// Asks the user; a new question replaces an open one.
  private func reply(to number: Int64) {
    let previous = typing
    previous?.cancel()
    typing = Task {
      await previous?.value
      let line = await console.line()
      guard !Task.isCancelled else { return }
      _ = await connection.send(ClientMessage.reply(number, text: line))
    }
  }

  /// Checks the owner when ``OwnerLivenessMonitor`` says so; gives up by closing the connection.
  private func monitorOwner() async {
    while (try? await clock.sleep(for: liveness.pause)) != nil {
      let process = connection.process
      switch liveness.check(process?.id, isStopped: process?.isStopped == true) {
      case .wait: break
      case .ping: _ = await connection.send(ClientMessage.ping)
      case .report(let problem):
        if case .busy = problem {
          showLine("waiting: \(problem.message)…")
        } else {
          console.message(problem.messageAndAdvice)
        }
      case .giveUp(let problem):
        // An owner that continues later finds the connection closed, and runs nothing.
        loss = OwnerUnavailable(problem, mayBeDone: mayBeDone)
        return await connection.close()
      }
    }
  }

  private func showLine(_ text: String?) {
    guard console.showsProgress, text != nil || isLineShown else { return }
    console.progress("\r\(text ?? "")\u{1B}[K")
    isLineShown = text != nil
  }
}
