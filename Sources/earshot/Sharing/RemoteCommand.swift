import CompanionRuntime
import Glibc

/// A command of this process that the owner of the link runs, from the request to the exit code.
@MainActor
final class RemoteCommand {
  enum Ending {
    /// `resolved`: the value of a step, where that was asked for.
    case ended(ExitStatus, resolved: String?)
    /// The owner has left before that.
    case left(hasBegun: Bool, hasAnswered: Bool)
    /// The owner runs a command of its own, and this one need not wait for that.
    case busy
    /// The owner is there, and does not answer.
    case lost(OwnerUnavailable)
  }

  private let connection: LineConnection
  private let purpose: Request.Purpose
  private let waits: Bool
  private let clock = ContinuousClock()
  private var liveness: OwnerLivenessMonitor
  private var hasBegun = false
  private var hasAnswered = false
  private var resolved: String?
  private var loss: OwnerUnavailable?
  private var typing: Task<Void, Never>?
  /// What is waited for stands on the terminal.
  private var isLineShown = false

  /// - Parameters:
  ///   - limit: how long to wait for an owner that stands still; nil: for ever.
  ///   - waits: for an owner that runs a command of its own.
  init(
    on connection: LineConnection, for purpose: Request.Purpose, limit: Duration?, waits: Bool
  ) {
    self.connection = connection
    self.purpose = purpose
    self.waits = waits
    liveness = OwnerLivenessMonitor(limit: limit)
  }

  func run() async -> Ending {
    let request = Request(
      arguments: Array(CommandLine.arguments.dropFirst()), directory: WorkingFolder.path,
      hasTerminal: Terminal.isThere, purpose: purpose)
    guard await connection.send(request.json) else { return left }
    let watching = Task { await watchOwner() }
    defer {
      watching.cancel()
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
        hasAnswered = true
        Output.data(text)
      case .message(let text): Output.message(text)
      case .progress(let text): if isatty(STDERR_FILENO) == 1 { Output.status(text) }
      case .ask(let number): reply(to: number)
      case .alive: break
      }
    }
    return loss.map(Ending.lost) ?? left
  }

  private var left: Ending {
    // To resolve a step changes nothing.
    .left(hasBegun: hasBegun && purpose != .resolve, hasAnswered: hasAnswered)
  }

  private func reply(to number: Int64) {
    let previous = typing
    previous?.cancel()
    typing = Task {
      // One at a time reads what is typed.
      await previous?.value
      let line = await Terminal.line()
      guard !Task.isCancelled else { return }
      _ = await connection.send(ClientMessage.reply(number, text: line))
    }
  }

  // MARK: An owner that does not answer

  /// Gives up on an owner that does not begin, and on one that stands still.
  private func watchOwner() async {
    while (try? await clock.sleep(for: liveness.pause)) != nil {
      let process = connection.process
      switch liveness.look(at: process?.id, isStopped: process?.isStopped == true) {
      case .nothing: break
      case .ask: _ = await connection.send(ClientMessage.ping)
      case .report(.busy(let process)):
        showLine("waiting: \(OwnerUnavailable.Kind.busy(process).displayText)…")
      case .report(let kind): Output.message(kind.whileWaiting)
      case .giveUp(let kind):
        // An owner that goes on later finds nobody there, and leaves undone what it has not begun.
        loss = OwnerUnavailable(kind, mayBeDone: hasBegun && purpose != .resolve)
        return await connection.close()
      }
    }
  }

  /// On a terminal only; nil: it is over.
  private func showLine(_ words: String?) {
    guard isatty(STDERR_FILENO) == 1, words != nil || isLineShown else { return }
    Output.status("\r\(words ?? "")\u{1B}[K")
    isLineShown = words != nil
  }
}
