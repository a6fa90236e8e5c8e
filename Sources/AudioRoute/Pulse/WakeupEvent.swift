/// Wakes one waiting task; several signals before it runs count as one.
///
/// It carries no data: the task examines the state itself, so that bursts coalesce.
final class WakeupEvent: Sendable {
  let rings: AsyncStream<Void>
  private let ringer: AsyncStream<Void>.Continuation

  init() {
    (rings, ringer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func ring() { ringer.yield() }

  /// Signals the event whose pointer a C callback received as its user data, unretained.
  static func ring(at pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    Unmanaged<WakeupEvent>.fromOpaque(pointer).takeUnretainedValue().ring()
  }

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}
