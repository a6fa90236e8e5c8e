internal import Companion
internal import EventLoop
internal import HeadphoneProtocols

/// The runner of the commands of `[hooks]`.
///
/// For each hook of a headphone, one command runs at a time, for up to 30 s; of those that wait,
/// only the newest is kept. Each line that a command writes becomes a line of the log.
@MainActor
final class HookRunner {
  typealias Send = LiveEffectHandler.Send
  typealias Execute =
    @Sendable (HookRun, @escaping @Sendable (String) -> Void) async throws(SystemCallError) ->
    ChildProcess.Ending

  static let limit = Duration.seconds(30)

  private struct Queue: Hashable {
    var hook: Hook
    var headphone: HeadphoneID

    init(_ run: HookRun) { (hook, headphone) = (run.hook, run.headphone) }
  }

  private let execute: Execute
  private var running: [Queue: Task<Void, Never>] = [:]
  private var waiting: [Queue: HookRun] = [:]

  init(clock: any Clock<Duration>) {
    execute = { run, line async throws(SystemCallError) in
      try await FileIO.startingPrograms { () async throws(SystemCallError) in
        try await ChildProcess.run(
          run.command.arguments, variables: run.variables, limit: Self.limit, clock: clock,
          line: line)
      }
    }
  }

  init(execute: @escaping Execute) { self.execute = execute }

  func run(_ run: HookRun, send: @escaping Send) {
    let queue = Queue(run)
    guard running[queue] == nil else {
      waiting[queue] = run
      return
    }
    running[queue] = Task {
      await carryOut(run, send: send)
      running[queue] = nil
      guard let next = waiting.removeValue(forKey: queue), !Task.isCancelled else { return }
      self.run(next, send: send)
    }
  }

  func stop() async {
    waiting = [:]
    let tasks = Array(running.values)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func carryOut(_ run: HookRun, send: @escaping Send) async {
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    func note(_ level: LogLine.Level, _ text: String) {
      send(.noted(level, run.headphone, "hook \(run.hook.rawValue)\(text)"))
    }
    let logging = Task { for await line in lines { note(.info, ": \(displayable(line))") } }
    let outcome: Result<ChildProcess.Ending, SystemCallError>
    do throws(SystemCallError) {
      outcome = .success(try await execute(run) { line.yield($0) })
    } catch {
      outcome = .failure(error)
    }
    line.finish()
    await logging.value
    switch outcome {
    case .success(.exited(0)): note(.debug, " has run")
    case .success(.exited(let status)): note(.warning, " ended with \(status)")
    case .success(.signalled(let signal)): note(.warning, " was killed by signal \(signal)")
    case .success(.stopped), .success(.paused):
      note(.warning, " was killed after \(Self.limit.components.seconds) s")
    case .failure(let error): note(.warning, " did not start: \(error)")
    }
  }
}
