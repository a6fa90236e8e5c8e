public import Companion
internal import GATT

/// Listens for headphones; `heard` is told each time that something new is known of one.
///
/// - Returns: all that were heard, in the order in which they were.
@MainActor
public func listen(
  in world: World, for duration: Duration, heard: @MainActor (HeadphoneState) -> Void
) async throws(CommandError) -> HeadphoneList {
  var state = State()
  var book = world.peerBook
  do {
    for try await sighting in world.radio.scan(
      ScanOptions(
        services: world.services, patterns: world.patterns, duration: duration))
    {
      let sighting = book.hear(sighting)
      _ = state.reduce(.sighted(sighting), at: world.now())
      if let headphone = state.headphones[sighting.id] { heard(headphone) }
    }
  } catch let error as RadioError {
    throw .radio(error)
  } catch {
    throw .radio(.cancelled)
  }
  return state.headphones
}
