public import CompanionRuntime
public import EventLoop

/// The client side of a command that the owner of the link runs, from the request to the exit code.
///
/// ```swift
/// let command = RemoteCommand(request, on: connection, limit: .seconds(20), waits: true)
/// switch await command.run() {
/// case .ended(let status, _): exit(status.rawValue)
/// case .left(hasBegun: false, hasAnswered: _): break   // the next owner may run it
/// default: break
/// }
/// ```
///
/// Output arrives as messages and is written at once: standard output, standard error and questions
/// keep their order.
@MainActor
public final class RemoteCommand {
  /// How a command ended.
  public enum Outcome: Hashable, Sendable {
    /// The command ended with an exit status.
    ///
    /// `resolved`: the value of a step, if that was requested.
    case ended(ExitStatus, resolved: String?)
    /// The owner exited first.
    case left(hasBegun: Bool, hasResponded: Bool)
    /// The owner runs a command of its own, and this one need not wait for that.
    case busy
    /// The owner runs, and does not answer.
    case lost(OwnerUnavailable)
  }

  private let connection: LineConnection
  private let request: Request
  private let waits: Bool
  private let console: any Console
  private let clock: any Clock<Duration>
  private var liveness: OwnerLivenessMonitor
  private var hasBegun = false
  private var hasResponded = false
  private var resolved: String?
  private var loss: OwnerUnavailable?
  private var typing: Task<Void, Never>?
  /// The terminal shows a line that says what is awaited.
  private var isLineShown = false

  /// - Parameters:
  ///   - limit: how long an owner may be stopped, silent or busy; nil: for ever.
  ///   - waits: whether to wait for an owner that runs a command of its own.
  ///   - console: receives the output, and answers questions.
  public init(
    _ request: Request, on connection: LineConnection, limit: Duration?, waits: Bool,
    console: any Console = StandardConsole.shared, clock: any Clock<Duration> = LoopClock(.shared)
  ) {
    self.connection = connection
    self.request = request
    self.waits = waits
    self.console = console
    self.clock = clock
    liveness = OwnerLivenessMonitor(limit: limit)
  }

  /// Sends the request and passes on what the owner sends back.
  ///
  /// - Returns: How it ended; the connection is closed then, or ends with the owner.
  public func run() async -> Outcome {
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

  private var left: Outcome { .left(hasBegun: mayBeDone, hasResponded: hasResponded) }

  /// Whether the owner may have changed something; resolving a step changes nothing.
  private var mayBeDone: Bool { hasBegun && request.purpose != .resolve }

  /// A new question replaces one that is still open.
  private func reply(to number: Int64) {
    let previous = typing
    previous?.cancel()
    typing = Task {
      // One reader of standard input at a time.
      await previous?.value
      let line = await console.line()
      guard !Task.isCancelled else { return }
      _ = await connection.send(ClientMessage.reply(number, text: line))
    }
  }

  // MARK: An owner that does not answer

  /// Checks the owner at the times that ``OwnerLivenessMonitor`` chooses; gives up by closing the
  /// connection.
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
        // An owner that continues later finds the connection closed, and starts nothing.
        loss = OwnerUnavailable(problem, mayBeDone: mayBeDone)
        return await connection.close()
      }
    }
  }

  /// Shows a line on a terminal; nil: removes it.
  private func showLine(_ text: String?) {
    guard console.showsProgress, text != nil || isLineShown else { return }
    console.progress("\r\(text ?? "")\u{1B}[K")
    isLineShown = text != nil
  }
}
