internal import Bluetooth
public import Companion
internal import GATT

/// Scans for headphones with the radio of an app that may scan for other reasons, too.
///
/// Connected headphones are included first: they are in range, but may not advertise. A scan that
/// was not running before is stopped at the end.
///
/// ```swift
/// let found = try await listen(with: store, effects, for: .seconds(5)) { print($0.name) }
/// ```
///
/// - Parameters:
///   - store: its scan is used, and restarted when it ends early.
///   - effects: reports each discovery.
///   - duration: how long to scan.
///   - received: called for each advertisement, with all that is known of the headphone by then.
/// - Returns: all headphones found, in the order of their discovery.
/// - Throws: ``CommandError/radio(_:)`` or ``CommandError/adapter(_:)`` if scanning is impossible.
@MainActor
public func listen(
  with store: Store, _ effects: LiveEffectHandler, for duration: Duration,
  received: @MainActor (HeadphoneState) -> Void
) async throws(CommandError) -> HeadphoneList {
  let world = effects.world
  let peripherals = effects.peripherals()
  var found = State()
  for headphone in store.state.headphones where headphone.link.isConnected {
    _ = found.reduce(.discovered(DiscoveredHeadphone(headphone)), at: world.now())
    if let headphone = found.headphones[headphone.id] { received(headphone) }
  }
  var failure: CommandError?
  var began = false
  let (ends, end) = AsyncStream.makeStream(of: DiscoveredHeadphone.self)
  let hearing = Task {
    for await peripheral in peripherals { end.yield(peripheral) }
  }
  let timing = Task {
    try? await world.clock.sleep(for: duration)
    end.finish()
  }
  let scanning = Task {
    for await state in store.follow() {
      if state.scan == .scanning { continue }
      if let reason = state.scanFailure {
        failure = reason
        return end.finish()
      }
      // The app's own scan may have ended earlier: it is started again.
      guard case .ready = state.adapter else { continue }
      began = true
      store.press(.scan)
    }
  }
  defer {
    for task in [hearing, timing, scanning] { task.cancel() }
    if began, store.state.scan == .scanning {
      store.press(.scan)
    }
  }
  for await peripheral in ends {
    _ = found.reduce(.discovered(peripheral), at: world.now())
    if let headphone = found.headphones[peripheral.id] { received(headphone) }
  }
  if let failure { throw effects.adapterFailure.map(CommandError.radio) ?? failure }
  if let obstacle = await world.radio.scanObstacle() { throw .radio(obstacle) }
  return found.headphones
}

extension AdapterState {
  /// Whether the adapter was examined and is not usable.
  var isUnusable: Bool {
    switch self {
    case .unknown, .ready: false
    case .absent, .off, .blocked, .denied: true
    }
  }
}

extension State {
  /// The obstacle to scanning; nil: none is known.
  var scanFailure: CommandError? {
    switch scan {
    case .denied(let capability, true):
      .radio(.noBluetoothd(operation: "scanning", capability: capability))
    case .denied(let capability, false):
      .radio(.notPermitted(operation: "scanning", capability: capability))
    case .failed(let error): .radio(error)
    case .idle, .scanning: adapter.isUnusable ? .adapter(adapter) : nil
    }
  }
}

extension DiscoveredHeadphone {
  /// A discovery made of a connected headphone.
  fileprivate init(_ headphone: HeadphoneState) {
    self.init(
      id: headphone.id, name: headphone.name, address: headphone.address,
      publicAddress: headphone.publicAddress, rssi: headphone.rssi,
      battery: headphone.battery?.value)
  }
}
