/// An event that wakes one waiting task; several signals before the task runs count as one.
///
/// It carries no data: the task examines the state itself, so that bursts coalesce.
final class WakeupEvent: Sendable {
  /// The signals, for one consumer; one signal is buffered while no task waits.
  let rings: AsyncStream<Void>
  private let ringer: AsyncStream<Void>.Continuation

  init() {
    (rings, ringer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Signals the event; callable from any thread.
  func ring() { ringer.yield() }

  /// Signals the event whose pointer a C callback received as its user data, unretained.
  static func ring(at pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    Unmanaged<WakeupEvent>.fromOpaque(pointer).takeUnretainedValue().ring()
  }

  /// The event as the user data of C callbacks, unretained: the event must outlive their
  /// registration.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}
