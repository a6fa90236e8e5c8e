import Companion
import EventLoop
import Locking
import Testing

@testable import CompanionRuntime

@MainActor @Suite struct HookRunnerTests {
  /// Commands that end when the test says so.
  private final class Commands: Sendable {
    let started = AsyncStream.makeStream(of: String.self)
    private let ends = Mutex<[String: CheckedContinuation<ChildProcess.Ending, Never>]>([:])

    func run(_ name: String) async -> ChildProcess.Ending {
      await withTaskCancellationHandler {
        await withCheckedContinuation { end in
          ends.withLock { $0[name] = end }
          started.continuation.yield(name)
        }
      } onCancel: {
        end(name, .stopped)
      }
    }

    func end(_ name: String, _ ending: ChildProcess.Ending = .exited(0)) {
      ends.withLock { $0.removeValue(forKey: name) }?.resume(returning: ending)
    }
  }

  private func run(_ hook: Hook, _ name: String, of headphone: String = "ear") -> HookRun {
    HookRun(
      hook, .program([name]), headphone: HeadphoneID(rawValue: headphone),
      variables: ["EARSHOT_EVENT": hook.rawValue])
  }

  @Test func `a hook runs one command at a time, and of those that wait the newest`() async {
    let commands = Commands()
    let runner = HookRunner { run, _ in await commands.run(run.command.arguments[0]) }
    var started = commands.started.stream.makeAsyncIterator()
    runner.run(run(.worn, "first")) { _ in }
    #expect(await started.next() == "first")
    runner.run(run(.worn, "second")) { _ in }
    runner.run(run(.worn, "third")) { _ in }
    // Another hook does not wait.
    runner.run(run(.takenOff, "other")) { _ in }
    #expect(await started.next() == "other")
    commands.end("first")
    #expect(await started.next() == "third")
    await runner.stop()
  }

  @Test func `a headphone's event does not replace that of another one`() async {
    let commands = Commands()
    let runner = HookRunner { run, _ in await commands.run(run.command.arguments[0]) }
    var started = commands.started.stream.makeAsyncIterator()
    for headphone in ["one", "two", "three"] {
      runner.run(run(.lowBattery, headphone, of: headphone)) { _ in }
      #expect(await started.next() == headphone)
    }
    await runner.stop()
  }

  @Test func `output and a failure go to the log`() async {
    let (lines, line) = AsyncStream.makeStream(of: String.self)
    let runner = HookRunner { _, write in
      write("hello\u{1B}[2J")
      return .exited(3)
    }
    runner.run(run(.lowBattery, "a")) { action in
      if case .noted(let level, _, let text) = action { line.yield("\(level) \(text)") }
    }
    var shown = lines.makeAsyncIterator()
    #expect(await shown.next() == "info hook low-battery: hello\u{FFFD}[2J")
    #expect(await shown.next() == "warning hook low-battery ended with 3")
  }

  @Test func `stopping ends what runs and starts nothing that waits`() async {
    let commands = Commands()
    let runner = HookRunner { run, _ in await commands.run(run.command.arguments[0]) }
    var started = commands.started.stream.makeAsyncIterator()
    runner.run(run(.worn, "first")) { _ in }
    #expect(await started.next() == "first")
    runner.run(run(.worn, "second")) { _ in }
    await runner.stop()
    commands.started.continuation.finish()
    #expect(await started.next() == nil)
  }
}
