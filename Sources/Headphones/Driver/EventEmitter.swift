/// Where a driver tells what has happened on its headphone.
///
/// Who reads more slowly than a headphone tells loses the oldest events beyond ``capacity``, and
/// never a mark.
public struct EventEmitter: Sendable {
  /// Events that wait for their reader at most.
  public static let capacity = 4096

  /// A single consumer; finishes with ``finish()``.
  public let events: AsyncStream<HeadphoneEvent>
  private let continuation: AsyncStream<HeadphoneEvent>.Continuation

  /// Holds up to ``capacity`` events for a reader that has not begun yet.
  public init() {
    (events, continuation) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(Self.capacity))
  }

  /// Never waits: where ``capacity`` events wait already, the oldest is lost.
  public func report(_ event: HeadphoneEvent) {
    // Somebody waits for a mark: it goes to the end. Who sees one has seen those of lower number,
    // so that a mark that is pushed out by this one is not missed.
    if case .dropped(let lost) = continuation.yield(event), case .mark = lost {
      continuation.yield(lost)
    }
  }

  /// Ends ``events`` behind what has been told.
  public func finish() { continuation.finish() }
}
