internal import Companion
internal import HeadphoneDrivers
internal import HeadphoneProtocols

/// The queue from a driver to its connection: events and outcomes of commands, in one order.
///
/// If the consumer is slower than the headphone, the oldest events beyond ``capacity`` are dropped.
struct EventQueue: Sendable {
  enum Element: Sendable {
    case event(HeadphoneEvent)
    /// The driver has started; every first value was emitted before.
    case started(any HeadphoneDriver, HeadphoneDescription, isEncrypted: Bool)
    /// A command has ended; its caller is resumed when this element is consumed.
    case ended(CommandOutcome, CheckedContinuation<CommandOutcome, Never>)
  }

  static let capacity = 4096

  /// The elements, for a single consumer; finishes after the driver's last event.
  let elements: AsyncStream<Element>
  private let sink: AsyncStream<Element>.Continuation

  init() {
    (elements, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.capacity))
  }

  /// Where the driver emits its events.
  var emitter: EventEmitter {
    EventEmitter {
      add(.event($0))
    } end: {
      finish()
    }
  }

  /// Appends without waiting; after the end of the queue a command's caller is resumed at once.
  func add(_ element: Element) {
    switch sink.yield(element) {
    case .dropped(.event): break
    case .dropped(.ended(let outcome, let caller)): caller.resume(returning: outcome)
    case .dropped(let started): add(started)
    case .terminated:
      if case .ended(let outcome, let caller) = element { caller.resume(returning: outcome) }
    default: break
    }
  }

  func finish() { sink.finish() }
}
