import BluetoothRadio
import CPoll
import Glibc
import Locking
import TestSupport
import Testing

@testable import EventLoop

@Suite struct ChildProcessTests {
  private func run(
    _ arguments: String..., variables: [String: String] = [:], limit: Duration = .seconds(30),
    clock: any Clock<Duration> = ManualClock()
  ) async throws -> (ending: EventLoop.ChildProcess.Ending, lines: [String]) {
    let lines = Mutex<[String]>([])
    let ending = try await EventLoop.ChildProcess.run(
      arguments, variables: variables, limit: limit, clock: clock
    ) { line in lines.withLock { $0.append(line) } }
    return (ending, lines.withLock { $0 })
  }

  @Test func `its output comes line by line, and its exit status at the end`() async throws {
    let (ending, lines) = try await run(
      "/bin/sh", "-c", "echo one; echo two >&2; printf end; exit 3")
    #expect(ending == .exited(3))
    #expect(lines == ["one", "two", "end"])
  }

  @Test func `it gets the variables beside the environment`() async throws {
    let (_, lines) = try await run(
      "/bin/sh", "-c", "echo \"$EARSHOT_NAME\"; test -n \"$PATH\" && echo path",
      variables: ["EARSHOT_NAME": "a b; $(c)"])
    #expect(lines == ["a b; $(c)", "path"])
  }

  @Test func `arguments are not read by a shell`() async throws {
    #expect(try await run("echo", "$HOME", "a  b").lines == ["$HOME a  b"])
  }

  @Test func `it inherits no descriptor, no blocked signal and no terminal`() async throws {
    let secret = open("/dev/null", O_RDONLY)
    defer { close(secret) }
    let (_, lines) = try await run("/bin/sh", "-c", "ls /proc/$$/fd; readlink /proc/$$/fd/0")
    #expect(Set(lines).isSubset(of: ["0", "1", "2", "/dev/null"]), "\(lines)")
    let blocked = try await run("/bin/grep", "SigBlk", "/proc/self/status").lines
    #expect(blocked.first?.hasSuffix("0000000000000000") == true)
    let ambient = try await run("/bin/grep", "CapAmb", "/proc/self/status").lines
    #expect(ambient.first?.hasSuffix("0000000000000000") == true)
  }

  @Test func `one that runs too long is ended, with what it has started`() async throws {
    let clock = ManualClock()
    let (lines, output) = AsyncStream.makeStream(of: String.self)
    async let ending = EventLoop.ChildProcess.run(
      ["/bin/sh", "-c", "trap '' TERM; sleep infinity & echo $!; wait"], variables: [:],
      limit: .seconds(30), clock: clock
    ) { output.yield($0) }
    let started = earshot_pidfd_open(
      try #require(await lines.first { _ in true }.flatMap(pid_t.init)))
    defer { PollLoop.shared.close(started) }
    await clock.pass(.seconds(30))
    // Both ignore SIGTERM.
    await clock.pass(.seconds(2))
    #expect(try await ending == .stopped)
    try await PollLoop.shared.readable(started)
  }

  @Test func `what it leaves in the background does not keep it`() async throws {
    let (ending, lines) = try await run("/bin/sh", "-c", "sleep 60 & echo done")
    #expect(ending == .exited(0))
    #expect(lines == ["done"])
  }

  @Test func `one that is paused is killed where nothing would continue it`() async throws {
    let ending = try await EventLoop.ChildProcess.run(
      ["/bin/sh", "-c", "kill -STOP $$; sleep infinity"], variables: [:], limit: nil,
      endsWhenPaused: true, clock: ManualClock()
    ) { _ in }
    #expect(ending == .paused)
    let done = try await EventLoop.ChildProcess.run(
      ["/bin/sh", "-c", "exit 3"], variables: [:], limit: nil, endsWhenPaused: true,
      clock: ManualClock()
    ) { _ in }
    #expect(done == .exited(3))
  }

  @Test func `a signal that ends it is reported`() async throws {
    #expect(try await run("/bin/sh", "-c", "kill -KILL $$").ending == .signalled(SIGKILL))
  }

  @Test func `a program that is not there does not start`() async {
    await #expect(throws: SystemCallError.self) { _ = try await run("/no/such/program") }
  }

  @Test func `output without end is read at a pace, and the command waits`() async throws {
    let clock = ManualClock()
    async let ending = EventLoop.ChildProcess.run(
      ["yes"], variables: [:], limit: .seconds(30), clock: clock
    ) { _ in }
    // The limit, and the pause between two readings.
    await clock.sleepers(2)
    await clock.pass(.seconds(30))
    #expect(try await ending == .stopped)
  }

  @Test func `endless output is bounded`() async throws {
    let (_, lines) = try await run("/bin/sh", "-c", "yes | head -n 1000; head -c 100000 /dev/zero")
    #expect(lines.count == 100)
    #expect(lines.allSatisfy { $0.utf8.count <= 400 })
  }

  @Test(arguments: [
    ("exit 3", EventLoop.ChildProcess.Ending.exited(3)), ("kill -TERM $$", .signalled(SIGTERM)),
    ("kill -STOP $$; exit 7", .exited(7)),
    ("grep -q '^SigBlk:[[:space:]]0*$' /proc/self/status", .exited(0)),
    ("grep -q '^CapAmb:[[:space:]]0*$' /proc/self/status", .exited(0)),
    ("ls /proc/$$/fd | grep -qx $1", .exited(1)),
  ])
  func `one in the foreground inherits nothing but the terminal, and does not stay suspended`(
    script: String, ending: EventLoop.ChildProcess.Ending
  ) throws {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigfillset(&blocked)
    pthread_sigmask(SIG_SETMASK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    // A free number: that of another test's descriptor would close it.
    let other = fcntl(STDERR_FILENO, F_DUPFD, 200)
    try #require(other >= 200)
    defer { close(other) }
    let command = ["/bin/sh", "-c", script, "sh", "\(other)"]
    #expect(try EventLoop.ChildProcess.runInForeground(command) == ending)
  }

  @Test func `a program that is not there does not start in the foreground`() {
    #expect(throws: SystemCallError.self) {
      try EventLoop.ChildProcess.runInForeground(["/no/such/program; true"])
    }
  }
}
