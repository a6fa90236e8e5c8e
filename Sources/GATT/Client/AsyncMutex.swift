/// Lets one procedure through at a time, in order; a part of an actor's state.
struct AsyncMutex {
  private var isTaken = false
  private var waiting = FIFO<CheckedContinuation<Void, Never>>()

  /// True if the gate was free and now is taken.
  mutating func enter() -> Bool {
    defer { isTaken = true }
    return !isTaken
  }

  mutating func wait(_ continuation: CheckedContinuation<Void, Never>) {
    waiting.append(continuation)
  }

  /// Lets the next one through.
  mutating func leave() {
    if let next = waiting.popFirst() { next.resume() } else { isTaken = false }
  }
}
