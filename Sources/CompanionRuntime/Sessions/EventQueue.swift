internal import Companion
internal import Headphones

/// The queue between a driver and its session: events, and what commands came to, in one order.
///
/// A session that reads more slowly than its headphone talks loses the oldest events beyond
/// ``capacity``, and nothing else.
struct EventQueue: Sendable {
  enum Element: Sendable {
    case event(HeadphoneEvent)
    /// The driver has started; every first value was emitted before.
    case started(any HeadphoneDriver, HeadphoneDescription, isEncrypted: Bool)
    /// A command has ended, and its caller waits.
    case ended(CommandOutcome, CheckedContinuation<CommandOutcome, Never>)
  }

  static let capacity = 4096

  /// For a single consumer; finishes when the driver says that no event follows.
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

  /// Never waits; behind the end of the queue a command's caller is answered at once.
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
