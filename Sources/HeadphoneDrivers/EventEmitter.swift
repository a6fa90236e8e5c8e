public import HeadphoneProtocols
internal import Locking

/// The queue from a driver to its connection: the events of a headphone in their order.
///
/// The only stream between a driver and the app. If the consumer is slower than the headphone, the
/// oldest events beyond ``capacity`` are dropped. Of charges that come faster than anyone can read them
/// only the newest count: ``hold()`` keeps them back.
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
    /// Work of the consumer that must follow the events before it.
    case work(@MainActor @Sendable () -> Void)
  }

  /// The most elements that wait for the consumer.
  public static let capacity = 4096

  private let sink: AsyncStream<Element>.Continuation
  private let charges = Charges()

  /// - Returns: an emitter, and its elements for a single consumer; they finish after
  ///   ``finish()``, when the link has ended.
  public static func makeStream() -> (emitter: EventEmitter, elements: AsyncStream<Element>) {
    let (elements, sink) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: .bufferingNewest(capacity))
    return (EventEmitter(sink: sink), elements)
  }

  /// Emits an event; never waits.
  public func report(_ event: HeadphoneEvent) { add(.event(event)) }

  /// Emits several events.
  public func report(_ events: [HeadphoneEvent]) { for event in events { report(event) } }

  /// Has the consumer run `work` after the events emitted so far.
  ///
  /// - Returns: false if no consumer runs it, because the queue has finished.
  @discardableResult
  public func afterEvents(_ work: @escaping @MainActor @Sendable () -> Void) -> Bool {
    add(.work(work))
  }

  /// Notes that the consumer has received an event of charges.
  ///
  /// - Returns: whether it was the last one in the queue.
  public func noteChargesReceived() -> Bool {
    charges.withLock { charges in
      charges.queued -= 1
      return charges.queued == 0
    }
  }

  /// Merges charges from now on, until something else follows or ``resume()``.
  public func hold() { charges.withLock { $0.held = $0.held ?? [:] } }

  /// Emits the charges that were held, and goes on to merge those that follow; where there were none, ends that.
  public func resume() {
    charges.withLock { charges in
      let isOver = charges.held?.isEmpty != false
      emitHeld(&charges)
      if isOver { charges.held = nil }
    }
  }

  /// No event follows.
  public func finish() {
    resume()
    sink.finish()
  }

  @discardableResult
  private func add(_ element: Element) -> Bool {
    // Emitted under the lock, so that older charges cannot come behind newer ones.
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
      // Nobody resumes for charges that nobody receives.
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

/// The charges on their way.
private final class Charges: Sendable {
  struct Queue {
    /// Merged; nil: none are held.
    var held: [Part: Battery]?
    /// How many events of charges wait for the consumer.
    var queued = 0
  }

  private let queue = Mutex(Queue())

  func withLock<Result>(_ body: (inout Queue) -> Result) -> Result { queue.withLock { body(&$0) } }
}
