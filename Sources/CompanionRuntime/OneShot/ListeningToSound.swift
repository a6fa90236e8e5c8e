internal import AudioRoute

/// The first that the sound server tells; nil: nothing within `limit`.
func listenToSound(
  _ makeAudio: @escaping @Sendable () -> any AudioRouteSource, for limit: Duration,
  by clock: any Clock<Duration>
) async -> AudioObservation? {
  await withTaskGroup(of: AudioObservation?.self) { group in
    group.addTask {
      let audio = makeAudio()
      for await observation in audio.observations
      where observation != .unavailable(.notStarted) { return observation }
      return nil
    }
    group.addTask {
      try? await clock.sleep(for: limit)
      return nil
    }
    defer { group.cancelAll() }
    return await group.next() ?? nil
  }
}
