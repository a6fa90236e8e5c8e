/// Where a driver emits the events of its headphone.
///
/// The receiver is given to the driver when it is made and takes events on any thread, in order, so
/// that no driver has a stream of its own and nothing has to copy one stream into another.
public struct EventEmitter: Sendable {
  private let receive: @Sendable (HeadphoneEvent) -> Void
  private let end: @Sendable () -> Void

  /// - Parameters:
  ///   - receive: takes one event; must not block.
  ///   - end: called when no event follows: the link has ended.
  public init(
    receive: @escaping @Sendable (HeadphoneEvent) -> Void,
    end: @escaping @Sendable () -> Void = {}
  ) {
    self.receive = receive
    self.end = end
  }

  /// An outlet and the stream of what is emitted there, for a driver that is used by itself.
  public static func makeStream() -> (emitter: EventEmitter, events: AsyncStream<HeadphoneEvent>) {
    let (events, sink) = AsyncStream.makeStream(of: HeadphoneEvent.self)
    return (
      EventEmitter {
        sink.yield($0)
      } end: {
        sink.finish()
      }, events
    )
  }

  /// Emits an event.
  public func report(_ event: HeadphoneEvent) { receive(event) }

  /// No event follows.
  public func finish() { end() }
}
