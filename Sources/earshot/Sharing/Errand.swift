import CompanionRuntime
import Glibc

/// A command of this process that the owner of the link does, from the request to the exit code.
@MainActor
final class Errand {
  enum Ending {
    case ended(ExitStatus)
    /// The owner has left before that.
    case left(CommandProgress)
    /// The owner is there, and says nothing.
    case lost(OwnerLoss)
  }

  private let channel: LineChannel
  private let word: String?
  private let limit: Duration?
  private let clock = ContinuousClock()
  private var progress = CommandProgress()
  private var lastHeard = ContinuousClock.now
  private var loss: OwnerLoss?
  private var typing: Task<Void, Never>?

  /// How long an owner may take to say that it has begun.
  private static let patience = Duration.seconds(5)

  /// - Parameters:
  ///   - word: what an owner before made of the step that is asked for.
  ///   - limit: how long to wait for an owner that is suspended; nil: for ever.
  init(on channel: LineChannel, word: String?, limit: Duration?) {
    self.channel = channel
    self.word = word
    self.limit = limit
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
    }
    while let line = await channel.next() {
      lastHeard = clock.now
      guard let answer = Answer(line: line) else { continue }
      if case .end(let status) = answer { return .ended(status) }
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
    case .begun, .acting, .end: break
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
    guard await sleep(Self.patience) else { return }
    guard progress.hasBegun else { return give(up: stopped.map { .stopped($0.id) } ?? .silent) }
    var (pause, isTold) = (Duration.seconds(1), false)
    // Ever less often: a command that goes on for hours must not wake anything up.
    while await sleep(pause) {
      let silence = clock.now - lastHeard
      pause = silence < pause ? .seconds(1) : pause * 2
      guard let process = stopped else {
        isTold = false
        continue
      }
      if !isTold { Output.message(OwnerLoss.standsStill(process)) }
      isTold = true
      guard let limit else { continue }
      pause = .seconds(1)
      if silence >= limit { return give(up: .stopped(process.id)) }
    }
  }

  /// The owner, if it was stopped.
  private var stopped: OtherProcess? {
    channel.process.flatMap { $0.isStopped ? $0 : nil }
  }

  /// False: the errand has ended.
  private func sleep(_ duration: Duration) async -> Bool {
    (try? await clock.sleep(for: duration)) != nil
  }

  /// An owner that goes on later finds nobody there, and leaves undone what it has not begun.
  private func give(up kind: OwnerLoss.Kind) {
    loss = OwnerLoss(kind, mayBeDone: progress.hasActed)
    Task { await channel.close() }
  }
}
