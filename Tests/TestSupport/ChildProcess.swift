internal import Glibc

/// A program started by a test, which it cannot outlive.
///
/// A shell between the two kills the program when its standard input ends, even if the test process
/// is killed.
package final class ChildProcess {
  private let guardian: pid_t
  private var leash: Int32

  private static let script = """
    exec >>"$CHILD_LOG" 2>&1
    "$@" </dev/null &
    child=$!
    read -r signal || signal=KILL
    kill -s "$signal" "$child"
    wait "$child"
    """

  /// Starts `command` with exactly this environment, and appends its output to `log`.
  package init(_ command: [String], environment: [String: String], log: String) throws {
    let ends = try connectedPair()
    defer { close(ends.child) }
    do {
      guardian = try spawn(
        ["/bin/sh", "-c", ChildProcess.script, "sh"] + command,
        environment: environment.merging(["CHILD_LOG": log]) { $1 }, standardInput: ends.child)
    } catch {
      close(ends.own)
      throw error
    }
    leash = ends.own
  }

  /// Sends a signal ("TERM", "KILL"…), and waits until the program has ended.
  package func end(_ signal: String = "KILL") {
    guard leash >= 0 else { return }
    let line = Array("\(signal)\n".utf8)
    _ = line.withUnsafeBytes { write(leash, $0.baseAddress, $0.count) }
    close(leash)
    leash = -1
    waitpid(guardian, nil, 0)
  }

  deinit { end() }
}

/// A failure of a test's own equipment.
package struct RigFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Runs a program to its end, and returns its standard output.
///
/// A program that does not end is killed after a minute, as it would hold a thread of the tests.
@discardableResult
package func run(_ command: [String], environment: [String: String]) throws -> String {
  let ends = try connectedPair()
  defer { close(ends.own) }
  let child: pid_t
  do {
    defer { close(ends.child) }
    child = try spawn(
      ["/usr/bin/timeout", "--signal=KILL", "60"] + command, environment: environment,
      standardOutput: ends.child)
  }
  var output: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 4096)
  while case let count = read(ends.own, &buffer, buffer.count), count > 0 {
    output += buffer[..<count]
  }
  var status: Int32 = 0
  waitpid(child, &status, 0)
  let text = String(decoding: output, as: UTF8.self)
  guard status == 0 else {
    throw RigFailure("\(command.joined(separator: " ")): status \(status): \(text)")
  }
  return text
}

private func spawn(
  _ command: [String], environment: [String: String], standardInput: Int32? = nil,
  standardOutput: Int32? = nil
) throws -> pid_t {
  var actions = posix_spawn_file_actions_t()
  posix_spawn_file_actions_init(&actions)
  defer { posix_spawn_file_actions_destroy(&actions) }
  if let standardInput { posix_spawn_file_actions_adddup2(&actions, standardInput, 0) }
  if let standardOutput { posix_spawn_file_actions_adddup2(&actions, standardOutput, 1) }
  // A thread of the test process blocks signals that the child needs, SIGCHLD among them.
  var attributes = posix_spawnattr_t()
  posix_spawnattr_init(&attributes)
  defer { posix_spawnattr_destroy(&attributes) }
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
  let arguments = command.map { strdup($0) } + [nil]
  let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
  defer { for string in arguments + variables { free(string) } }
  var child: pid_t = 0
  let failure = posix_spawn(&child, command[0], &actions, &attributes, arguments, variables)
  guard failure == 0 else { throw RigFailure("cannot start \(command[0]): errno \(failure)") }
  return child
}

/// Returns two connected descriptors that no other child inherits.
private func connectedPair() throws -> (own: Int32, child: Int32) {
  var ends: [Int32] = [-1, -1]
  let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
    throw RigFailure("socketpair: errno \(errno)")
  }
  return (ends[0], ends[1])
}
