public import AudioRoute
internal import EventLoop

/// The first state of the sound server; nil: none arrived within the limit.
///
/// `notStarted` does not count as a state: the server has not answered yet.
///
/// - Parameters:
///   - makeAudio: connects to the server; the connection ends with this call.
///   - clock: measures the limit.
public func observeAudio(
  _ makeAudio: @escaping @Sendable () -> any AudioRouteSource, for limit: Duration,
  by clock: any Clock<Duration>
) async -> AudioObservation? {
  let audio = makeAudio()
  let received = await first(of: audio.observations, for: limit, by: clock) {
    $0 != .unavailable(.notStarted)
  }
  // The source's stream ends with its last reference.
  withExtendedLifetime(audio) {}
  return received
}

/// The first element that satisfies a condition; nil: none did within `limit`, or the sequence
/// ended.
func first<Element: Sendable>(
  of elements: AsyncStream<Element>, for limit: Duration, by clock: any Clock<Duration>,
  where isWanted: @escaping @Sendable (Element) -> Bool = { _ in true }
) async -> Element? {
  await within(limit, by: clock) { () -> Element? in
    for await element in elements where isWanted(element) { return element }
    return nil
  } ?? nil
}
