/// Wakes one waiting task; rings that come before it listens are one ring.
///
/// It carries no news: who wakes looks at the state itself, so that bursts coalesce.
final class WakeupEvent: Sendable {
  let rings: AsyncStream<Void>
  private let ringer: AsyncStream<Void>.Continuation

  init() {
    (rings, ringer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func ring() { ringer.yield() }

  /// The bell that a C callback was given as its user data, unretained.
  static func ring(at pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    Unmanaged<WakeupEvent>.fromOpaque(pointer).takeUnretainedValue().ring()
  }

  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}
