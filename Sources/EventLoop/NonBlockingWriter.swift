internal import Glibc
internal import Locking

/// A writer that never blocks its caller: it writes what fits at once, and the rest later.
///
/// A pipe without a reader and a stopped terminal (^S) may accept nothing for hours. Writes beyond
/// the limit are dropped and counted. Any thread may use the writer; bytes are written in the order
/// of the calls.
package final class NonBlockingWriter: Sendable {
  private struct State {
    var rest: ArraySlice<UInt8> = []
    var dropped = 0
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

  /// Creates a writer, which leaves the modes of the descriptor to other processes that share them.
  ///
  /// - Parameters:
  ///   - descriptor: owned by the caller until ``close()``.
  ///   - isBlocking: whether a write may block, so that `poll` must be asked for room first.
  ///   - limit: the number of bytes that may wait.
  ///   - notice: returns the text that replaces dropped writes.
  package init(
    _ descriptor: Int32, isBlocking: Bool = true, limit: Int = .max, loop: PollLoop = .shared,
    notice: @escaping @Sendable (_ dropped: Int) -> String = { _ in "" }
  ) {
    self.descriptor = descriptor
    self.isBlocking = isBlocking
    self.limit = limit
    self.loop = loop
    self.notice = notice
  }

  package var isBusy: Bool { state.withLock { !$0.rest.isEmpty } }

  /// Writes all bytes behind those that wait, or drops and counts them if they exceed the limit.
  package func send(_ bytes: some Collection<UInt8>) {
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

  /// Sets a callback for each time that the last waiting byte was written.
  package func onDrained(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { $0.onDrained = body }
  }

  /// Drops the bytes that wait.
  package func clear() {
    state.withLock { state in
      state.rest = []
      waitForCapacity(&state)
    }
  }

  /// Blocks the calling thread until nothing waits, and returns whether everything was written.
  package func flush(within limit: Duration) -> Bool {
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

  /// Closes the descriptor, dropping the bytes that wait.
  package func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      (state.isClosed, state.rest, state.onDrained) = (true, [], nil)
      waitForCapacity(&state)
      loop.close(descriptor)
    }
  }

  /// Watches the descriptor only while bytes wait; under the lock, so never a closed descriptor.
  private func waitForCapacity(_ state: inout State) {
    guard !state.rest.isEmpty else {
      if let watch = state.watch.take() { loop.unwatch(watch) }
      return
    }
    guard state.watch == nil else { return }
    do throws(SystemCallError) {
      state.watch = try loop.watch(descriptor, for: .writable, self)
    } catch {
      // Without a watch, nothing would report room.
      (state.rest, state.dropped) = ([], state.dropped + 1)
    }
  }

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
      // The reader hung up.
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
