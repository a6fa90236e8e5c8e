import CompanionRuntime
import Glibc

/// A command of this process that the owner of the link does, from the request to the exit code.
@MainActor
final class RemoteCommand {
  enum Ending {
    case ended(ExitStatus)
    /// The owner has left before that.
    case left(CommandRetryState)
    /// The owner does a command of its own, and this one need not wait for that.
    case busy
    /// The owner is there, and says nothing.
    case lost(OwnerUnavailable)
  }

  private let channel: LineConnection
  private let word: String?
  private let waitsItsTurn: Bool
  private let clock = ContinuousClock()
  private var progress = CommandRetryState()
  private var timeLimit: OwnerLivenessMonitor
  private var loss: OwnerUnavailable?
  private var typing: Task<Void, Never>?
  /// What is waited for stands on the terminal.
  private var isLineShown = false

  /// - Parameters:
  ///   - word: what an owner before made of the step that is asked for.
  ///   - limit: how long to wait for an owner that stands still; nil: for ever.
  ///   - waitsItsTurn: for an owner that does a command of its own.
  init(on channel: LineConnection, word: String?, limit: Duration?, waitsItsTurn: Bool) {
    self.channel = channel
    self.word = word
    self.waitsItsTurn = waitsItsTurn
    timeLimit = OwnerLivenessMonitor(limit: limit)
  }

  func run() async -> Ending {
    let request = Request(
      arguments: Array(CommandLine.arguments.dropFirst()), directory: WorkingFolder.path,
      hasTerminal: Terminal.isThere, word: word)
    guard await channel.send(request.json) else { return .left(progress) }
    let watching = Task { await watchOwner() }
    defer {
      watching.cancel()
      typing?.cancel()
      showLine(nil)
    }
    while let line = await channel.next() {
      guard let answer = Answer(line: line) else { continue }
      if case .end(let status) = answer { return .ended(status) }
      if answer == .busy, !waitsItsTurn { return .busy }
      timeLimit.receive(answer)
      progress.take(answer)
      take(answer)
    }
    return loss.map(Ending.lost) ?? .left(progress)
  }

  private func take(_ answer: Answer) {
    switch answer {
    case .output(let text): Output.data(text)
    case .message(let text): Output.message(text)
    case .progress(let text): if isatty(STDERR_FILENO) == 1 { Output.status(text) }
    case .ask(let number): reply(to: number)
    case .busy, .alive, .begun, .acting, .end: break
    }
  }

  private func reply(to number: Int64) {
    let previous = typing
    previous?.cancel()
    typing = Task {
      // One at a time reads what is typed.
      await previous?.value
      let line = await Terminal.line()
      guard !Task.isCancelled else { return }
      _ = await channel.send(Reply(number: number, text: line).json)
    }
  }

  // MARK: An owner that says nothing

  /// Gives up on an owner that does not begin, and on one that stands still.
  private func watchOwner() async {
    while (try? await clock.sleep(for: timeLimit.pause)) != nil {
      let process = channel.process
      switch timeLimit.look(at: process?.id, isStopped: process?.isStopped == true) {
      case .nothing: break
      case .ask: _ = await channel.send(Ping.json)
      case .report(.busy(let process)):
        showLine("waiting: \(OwnerUnavailable.Kind.busy(process).displayText)…")
      case .report(let kind): Output.message(kind.whileWaiting)
      case .giveUp(let kind):
        // An owner that goes on later finds nobody there, and leaves undone what it has not begun.
        loss = OwnerUnavailable(kind, mayBeDone: progress.hasActed)
        return await channel.close()
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
