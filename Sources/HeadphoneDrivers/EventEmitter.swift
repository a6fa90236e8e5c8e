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
  private let held = HeldCharges()

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

  /// Merges charges from now on, until something else follows or ``resume()``.
  public func hold() { held.charges.withLock { $0 = $0 ?? [:] } }

  /// Emits the charges that were held.
  public func resume() {
    held.charges.withLock { charges in
      emit(&charges)
      charges = nil
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
    held.charges.withLock { charges in
      if charges != nil, case .event(.batteryChanged(let newer)) = element {
        charges?.merge(newer) { $1 }
        return true
      }
      emit(&charges)
      return yield(element)
    }
  }

  private func emit(_ charges: inout [Part: Battery]?) {
    guard let held = charges, !held.isEmpty else { return }
    charges = [:]
    _ = yield(.event(.batteryChanged(held)))
  }

  private func yield(_ element: Element) -> Bool {
    switch sink.yield(element) {
    case .terminated: false
    case .dropped(.work(let work)): yield(.work(work))
    default: true
    }
  }
}

/// The charges that are held; nil: none are.
private final class HeldCharges: Sendable {
  let charges = Mutex<[Part: Battery]?>(nil)
}
