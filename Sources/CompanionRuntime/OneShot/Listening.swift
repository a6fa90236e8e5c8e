internal import Bluetooth
public import Companion
internal import GATT

/// Listens for headphones; `received` is told each time that something new is known of one.
///
/// - Returns: all that were heard, in the order in which they were.
@MainActor
public func listen(
  in world: Dependencies, for duration: Duration, received: @MainActor (HeadphoneState) -> Void
) async throws(CommandError) -> HeadphoneList {
  var state = State()
  var registry = world.deviceRegistry
  do {
    for try await peripheral in world.radio.scan(
      ScanOptions(
        services: world.services, patterns: world.patterns, duration: duration))
    {
      let peripheral = registry.receive(peripheral)
      _ = state.reduce(.discovered(peripheral), at: world.now())
      if let headphone = state.headphones[peripheral.id] { received(headphone) }
    }
  } catch let error as RadioError {
    throw .radio(error)
  } catch {
    throw .radio(.cancelled)
  }
  return state.headphones
}
