package import AudioRoute
internal import EventLoop

/// Returns the first state of the sound server other than `notStarted`, or nil after the limit.
package func observeAudio(
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

func first<Element: Sendable>(
  of elements: AsyncStream<Element>, for limit: Duration, by clock: any Clock<Duration>,
  where isWanted: @escaping @Sendable (Element) -> Bool = { _ in true }
) async -> Element? {
  await within(limit, by: clock) { () -> Element? in
    for await element in elements where isWanted(element) { return element }
    return nil
  } ?? nil
}
