/// Those who wait until a place in a headphone's events is reached.
struct Marks {
  private var count: UInt64 = 0
  private var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
  private var hasEnded = false

  /// - Returns: the number to mark the place with; nil: the events have ended, and nobody waits.
  mutating func add(_ continuation: CheckedContinuation<Void, Never>) -> UInt64? {
    guard !hasEnded else {
      continuation.resume()
      return nil
    }
    count += 1
    waiting[count] = continuation
    return count
  }

  /// A mark is reached, and with it all that were made before it.
  mutating func reach(_ number: UInt64) {
    for earlier in waiting.keys where earlier <= number {
      waiting.removeValue(forKey: earlier)?.resume()
    }
  }

  /// No place is reached any more.
  mutating func end() {
    hasEnded = true
    for continuation in waiting.values { continuation.resume() }
    waiting = [:]
  }
}
