public import Companion
internal import GATT

/// Listens for headphones with the radio of a program that runs; what it listens for counts too.
///
/// Those that it is linked with are nearby, though they do not advertise: they are told first.
///
/// - Returns: all that were heard, in the order in which they were.
@MainActor
public func listen(
  with store: Store, _ effects: LiveEffects, for duration: Duration,
  heard: @MainActor (HeadphoneState) -> Void
) async throws(CommandError) -> HeadphoneList {
  let world = effects.world
  let sightings = effects.sightings()
  var found = State()
  for headphone in store.state.headphones where headphone.link.isConnected {
    _ = found.reduce(.sighted(HeadphoneSighting(headphone)), at: world.now())
    if let headphone = found.headphones[headphone.id] { heard(headphone) }
  }
  var failure: CommandError?
  var began = false
  let (ends, end) = AsyncStream.makeStream(of: HeadphoneSighting.self)
  let hearing = Task {
    for await sighting in sightings { end.yield(sighting) }
  }
  let timing = Task {
    try? await world.clock.sleep(for: duration)
    end.finish()
  }
  let scanning = Task {
    for await state in store.follow() {
      switch state.scan {
      case .scanning: continue
      case .idle:
        // The program's own scan may have ended before this one's time is over.
        switch state.adapter {
        case .unknown: continue
        case .ready: began = true
        case .absent, .off, .blocked, .denied:
          failure = .unavailable("\(state.adapter.words): \(state.adapter.advice)")
          return end.finish()
        }
        _ = store.send(.pressed(.scan), from: store.state.firstViewpoint)
      case .denied(let capability):
        failure = .radio(.notPermitted(operation: "scanning", capability: capability))
        return end.finish()
      case .failed(let words):
        failure = .unavailable("looking for headphones failed: \(words)")
        return end.finish()
      }
    }
  }
  defer {
    for task in [hearing, timing, scanning] { task.cancel() }
    if began, store.state.scan == .scanning {
      _ = store.send(.pressed(.scan), from: store.state.firstViewpoint)
    }
  }
  for await sighting in ends {
    _ = found.reduce(.sighted(sighting), at: world.now())
    if let headphone = found.headphones[sighting.id] { heard(headphone) }
  }
  if let failure { throw failure }
  return found.headphones
}

extension HeadphoneSighting {
  /// A headphone that is linked, as if it had been heard.
  fileprivate init(_ headphone: HeadphoneState) {
    self.init(
      id: headphone.id, name: headphone.name, address: headphone.address,
      publicAddress: headphone.publicAddress, rssi: headphone.rssi,
      battery: headphone.battery?.value)
  }
}
