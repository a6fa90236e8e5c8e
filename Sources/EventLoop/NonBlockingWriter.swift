internal import Glibc
internal import Synchronization

/// A writer that never makes its caller wait: what fits goes out at once, the rest when there is
/// room.
///
/// A pipe that nobody empties and a terminal that was stopped (^S) take nothing for as long as they
/// like. The writer keeps bytes for them up to a limit, and drops and counts the writes beyond it.
///
/// ```swift
/// let log = NonBlockingWriter(STDERR_FILENO, limit: 1 << 16) { "(\($0) lines were dropped)\n" }
/// log.send("ready\n".utf8)
/// ```
public final class NonBlockingWriter: Sendable {
  private struct State {
    var rest: ArraySlice<UInt8> = []
    /// Writes that did not fit since the last notice of that.
    var dropped = 0
    /// Waits for room; nil while nothing waits.
    var watch: Watch?
    var isClosed = false
    var onDrained: (@Sendable () async -> Void)?
  }

  private let descriptor: Int32
  private let isBlocking: Bool
  private let limit: Int
  private let notice: @Sendable (_ dropped: Int) -> String
  private let loop: PollLoop
  private let state = Mutex(State())

  /// - Parameters:
  ///   - descriptor: stays the caller's until ``close()``, and as it is: its modes are shared with
  ///     other processes.
  ///   - isBlocking: whether a write to it may block, so that room is asked for first.
  ///   - limit: bytes that may wait.
  ///   - loop: waits for room.
  ///   - notice: the text that is written in the place of writes that were dropped.
  public init(
    _ descriptor: Int32, isBlocking: Bool = true, limit: Int = .max, loop: PollLoop = .shared,
    notice: @escaping @Sendable (_ dropped: Int) -> String = { _ in "" }
  ) {
    self.descriptor = descriptor
    self.isBlocking = isBlocking
    self.limit = limit
    self.loop = loop
    self.notice = notice
  }

  /// Whether bytes wait for room.
  public var isBusy: Bool { state.withLock { !$0.rest.isEmpty } }

  /// Writes bytes, all or none of them, after those that wait.
  public func send(_ bytes: some Collection<UInt8>) {
    state.withLock { state in
      guard bytes.count <= limit - state.rest.count, !state.isClosed else {
        state.dropped += 1
        return
      }
      state.rest += bytes
      write(&state)
      waitForCapacity(&state)
    }
  }

  /// Sets what is called each time that the last of the bytes that waited has gone out.
  public func onDrained(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { $0.onDrained = body }
  }

  /// Drops the bytes that wait.
  public func clear() {
    state.withLock { state in
      state.rest = []
      waitForCapacity(&state)
    }
  }

  /// Blocks the calling thread until nothing waits any more, at the end of a program.
  ///
  /// - Parameter limit: how long at most.
  /// - Returns: whether everything has gone out.
  public func flush(within limit: Duration) -> Bool {
    let end = ContinuousClock.now + limit
    while true {
      let isDone = state.withLock { state in
        write(&state)
        waitForCapacity(&state)
        return state.rest.isEmpty
      }
      if isDone || ContinuousClock.now >= end { return isDone }
      _ = hasCapacity(descriptor, within: 10)
    }
  }

  /// Closes the descriptor; what waits is dropped.
  public func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      (state.isClosed, state.rest, state.onDrained) = (true, [], nil)
      waitForCapacity(&state)
      loop.close(descriptor)
    }
  }

  /// Watches the descriptor exactly while something waits.
  ///
  /// Under the lock, so that a number that was closed is never watched.
  private func waitForCapacity(_ state: inout State) {
    guard !state.rest.isEmpty else {
      if let watch = state.watch.take() { loop.unwatch(watch) }
      return
    }
    guard state.watch == nil else { return }
    do throws(SystemCallError) {
      state.watch = try loop.watch(descriptor, for: .writable, self)
    } catch {
      // Nothing will say that there is room.
      (state.rest, state.dropped) = ([], state.dropped + 1)
    }
  }

  /// Writes what fits.
  private func write(_ state: inout State) {
    while !state.isClosed {
      if state.rest.isEmpty {
        guard state.dropped > 0 else { return }
        state.rest = Array(notice(state.dropped).utf8)[...]
        state.dropped = 0
      }
      let result =
        isBlocking
        ? writeWhatFits(state.rest, to: descriptor)
        : EventLoop.write(state.rest, to: descriptor)
      switch result {
      case .done(let count): state.rest = state.rest.dropFirst(count)
      case .wouldBlock: return
      // It has hung up: nobody will read this.
      case .failed: (state.rest, state.dropped) = ([], 0)
      }
    }
  }
}

extension NonBlockingWriter: Watcher {
  func ready(_ readiness: Readiness) {
    let onDrained = state.withLock { state in
      guard state.watch != nil else { return (@Sendable () async -> Void)?.none }
      write(&state)
      waitForCapacity(&state)
      return state.rest.isEmpty ? state.onDrained : nil
    }
    if let onDrained { Task { await onDrained() } }
  }
}
