public import HeadphoneProtocols

/// The queue from a driver to its connection: the events of a headphone in their order.
///
/// The only stream between a driver and the app. If the consumer is slower than the headphone, the
/// oldest events beyond ``capacity`` are dropped.
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

  /// No event follows.
  public func finish() { sink.finish() }

  @discardableResult
  private func add(_ element: Element) -> Bool {
    switch sink.yield(element) {
    case .terminated: false
    case .dropped(.work(let work)): add(.work(work))
    default: true
    }
  }
}
