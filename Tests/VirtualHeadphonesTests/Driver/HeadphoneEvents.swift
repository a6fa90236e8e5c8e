import HeadphoneDrivers
import HeadphoneProtocols

/// The events of an emitter, without the consumer's work.
typealias HeadphoneEvents = AsyncCompactMapSequence<
  AsyncStream<EventEmitter.Element>, HeadphoneEvent
>

extension EventEmitter {
  /// Returns an emitter and its events.
  static func makeEvents() -> (emitter: EventEmitter, events: HeadphoneEvents) {
    let (emitter, elements) = makeStream()
    return (
      emitter,
      elements.compactMap { if case .event(let event) = $0 { event } else { nil } }
    )
  }
}
