import HeadphoneDrivers
import HeadphoneProtocols

/// What an emitter emits, without the consumer's own work.
typealias HeadphoneEvents = AsyncCompactMapSequence<
  AsyncStream<EventEmitter.Element>, HeadphoneEvent
>

extension EventEmitter {
  /// An emitter and its events.
  static func makeEvents() -> (emitter: EventEmitter, events: HeadphoneEvents) {
    let (emitter, elements) = makeStream()
    return (
      emitter,
      elements.compactMap { if case .event(let event) = $0 { event } else { nil } }
    )
  }
}
