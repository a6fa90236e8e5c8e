public import HeadphoneProtocols
internal import Locking

/// The queue of a headphone's events from its driver to its connection, in order.
///
/// It is the only stream between a driver and the app. If the consumer is slower than the
/// headphone, the oldest events beyond ``capacity`` are dropped. If battery events arrive faster
/// than they can be handled, ``hold()`` merges them, so that only the newest levels remain.
///
/// ```swift
/// let (emitter, elements) = EventEmitter.makeStream()
/// let driver = GATTDriver(client: client, emitter: emitter)
/// for await element in elements {
///   if case .event(let event) = element { print(event) }
/// }
/// ```
public struct EventEmitter: Sendable {
  /// An element of the queue.
  public enum Element: Sendable {
    case event(HeadphoneEvent)
    /// Work of the consumer that must run after the events before it.
    case work(@MainActor @Sendable () -> Void)
  }

  /// The most elements that can wait for the consumer.
  public static let capacity = 4096

  private let sink: AsyncStream<Element>.Continuation
  private let charges = Charges()

  /// Creates an emitter, and its stream for a single consumer, which ends after ``finish()``.
  public static func makeStream() -> (emitter: EventEmitter, elements: AsyncStream<Element>) {
    let (elements, sink) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
    return (EventEmitter(sink: sink), elements)
  }

  /// Emits an event without waiting.
  public func report(_ event: HeadphoneEvent) { add(.event(event)) }

  /// Emits events in order, without waiting.
  public func report(_ events: [HeadphoneEvent]) { for event in events { report(event) } }

  /// Runs `work` in the consumer after all events so far; returns false if the queue has finished.
  @discardableResult
  public func afterEvents(_ work: @escaping @MainActor @Sendable () -> Void) -> Bool {
    add(.work(work))
  }

  /// Records a received battery event, and returns whether it was the last one in the queue.
  public func noteChargesReceived() -> Bool {
    charges.withLock { charges in
      charges.queued -= 1
      return charges.queued == 0
    }
  }

  /// Merges battery events from now on; another event or ``resume()`` emits the merged ones.
  public func hold() { charges.withLock { $0.held = $0.held ?? [:] } }

  /// Emits the merged battery levels and continues to merge, or stops merging if there are none.
  public func resume() {
    charges.withLock { charges in
      let isOver = charges.held?.isEmpty != false
      emitHeld(&charges)
      if isOver { charges.held = nil }
    }
  }

  /// Finishes the stream; no event may follow.
  public func finish() {
    resume()
    sink.finish()
  }

  @discardableResult
  private func add(_ element: Element) -> Bool {
    // Emitting under the lock keeps older battery levels from following newer ones.
    charges.withLock { charges in
      if charges.held != nil, let newer = element.charges {
        charges.held?.merge(newer) { $1 }
        return true
      }
      emitHeld(&charges)
      return yield(element, &charges)
    }
  }

  private func emitHeld(_ charges: inout Charges.Queue) {
    guard let held = charges.held, !held.isEmpty else { return }
    charges.held = [:]
    _ = yield(.event(.batteryChanged(held)), &charges)
  }

  private func yield(_ element: Element, _ charges: inout Charges.Queue) -> Bool {
    if element.charges != nil { charges.queued += 1 }
    switch sink.yield(element) {
    case .terminated: return false
    case .dropped(.work(let work)): return yield(.work(work), &charges)
    case .dropped(let dropped):
      if dropped.charges != nil { charges.queued -= 1 }
      // Without a queued battery event, the consumer would never call `resume()`.
      if charges.queued == 0 { charges.held = nil }
      return true
    default: return true
    }
  }
}

extension EventEmitter.Element {
  fileprivate var charges: [Part: Battery]? {
    if case .event(.batteryChanged(let charges)) = self { charges } else { nil }
  }
}

private final class Charges: Sendable {
  struct Queue {
    var held: [Part: Battery]?
    var queued = 0
  }

  private let queue = Mutex(Queue())

  func withLock<Result>(_ body: (inout Queue) -> Result) -> Result { queue.withLock { body(&$0) } }
}
