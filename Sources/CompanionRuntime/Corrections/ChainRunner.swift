package import Companion
internal import EventLoop
internal import HeadphoneProtocols
package import Persistence

/// A runner of filter-chains, each as a child process of PipeWire.
///
/// A child ends with its task and with this process, however that ends: `PR_SET_PDEATHSIG` belongs
/// to the starting thread, which is that of `FileIO.programs` and lives as long as the process.
///
/// A running child may have no sink, without its modules, target or server; the state looks for the
/// sink. A child paused by another program keeps a silent sink, and is killed.
@MainActor
package final class ChainRunner {
  private struct Slot: Hashable {
    var headphone: HeadphoneID
    var number: Int
  }

  private let clock: any Clock<Duration>
  private let folder: StateFolder
  private let variables: [String: String]
  private var running: [Slot: Task<Void, Never>] = [:]
  private var isStopped = false

  /// Creates a runner, which adds `variables` to the environment of its children.
  package init(
    clock: any Clock<Duration>, folder: StateFolder, variables: [String: String] = [:]
  ) {
    self.clock = clock
    self.folder = folder
    self.variables = variables
  }

  /// Starts a chain after the previous one in its slot; `send` gets an end that nobody requested.
  package func start(
    _ chain: CorrectionChain, of id: HeadphoneID,
    send: @escaping @MainActor (CorrectionEvent) -> Void
  ) {
    guard !isStopped else { return }
    let slot = Slot(headphone: id, number: chain.slot)
    let before = running[slot]
    before?.cancel()
    running[slot] = Task {
      await before?.value
      guard !Task.isCancelled else { return }
      let why = await run(chain, slot)
      if !Task.isCancelled { send(.chainEnded(slot: chain.slot, why)) }
    }
  }

  package func end(_ slot: Int, of id: HeadphoneID) {
    running[Slot(headphone: id, number: slot)]?.cancel()
  }

  /// Ends all chains, and returns when their processes have ended.
  package func stop() async {
    isStopped = true
    for task in running.values { task.cancel() }
    for task in running.values { await task.value }
    running = [:]
  }

  /// Runs a child until it ends or its task is cancelled; returns in words why it ended.
  private func run(_ chain: CorrectionChain, _ slot: Slot) async -> String {
    let name = slot.headphone.rawValue.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let file = folder.file("correction-\(name)-\(slot.number).conf")
    do throws(FileError) {
      try await FileIO.shared.run { () throws(FileError) in
        try file.replace(with: Array(chain.configuration.utf8), isPrecious: false)
      }
    } catch {
      return "\(error)"
    }
    let why = await execute(["pipewire", "-c", file.path])
    try? await FileIO.shared.run { () throws(FileError) in try file.remove() }
    return why
  }

  private func execute(_ command: [String]) async -> String {
    let (lines, line) = AsyncStream.makeStream(
      of: String.self, bufferingPolicy: .bufferingNewest(1))
    let outcome: Result<ChildProcess.Ending, SystemCallError>
    do throws(SystemCallError) {
      outcome = .success(
        try await Self.run(["setpriv", "--pdeathsig", "TERM"] + command, variables, clock) {
          line.yield($0)
        })
    } catch {
      // The system may lack `setpriv` (util-linux).
      do throws(SystemCallError) {
        outcome = .success(try await Self.run(command, variables, clock) { line.yield($0) })
      } catch {
        outcome = .failure(error)
      }
    }
    line.finish()
    var last = ""
    for await line in lines { last = displayable(line) }
    switch outcome {
    case .success(.exited(127)): return "PipeWire's program, `pipewire`, is not installed"
    case .success(.exited(let status)):
      return "pipewire ended with \(status)" + (last.isEmpty ? "" : ": \(last)")
    case .success(.signalled(let signal)): return "pipewire was killed by signal \(signal)"
    case .success(.stopped): return "pipewire was ended"
    case .success(.paused): return "pipewire was paused by another program"
    case .failure(let error): return "pipewire did not start: \(error)"
    }
  }

  private static func run(
    _ arguments: [String], _ variables: [String: String], _ clock: any Clock<Duration>,
    line: @escaping @Sendable (String) -> Void
  ) async throws(SystemCallError) -> ChildProcess.Ending {
    try await FileIO.startingPrograms { () async throws(SystemCallError) in
      try await ChildProcess.run(
        arguments, variables: variables, limit: nil, endsWhenPaused: true, clock: clock, line: line)
    }
  }
}
