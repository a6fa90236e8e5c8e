internal import Bluetooth
public import Companion

extension CommandTarget {
  /// Scans for headphones with the radio of an app that may scan for other reasons, too.
  ///
  /// Connected headphones are included: they are in range, but may not advertise. A scan that ends
  /// early is started again, and one that was not running before is stopped at the end.
  ///
  /// ```swift
  /// let found = try await target.scan(for: .seconds(5)) { print($0.name) }
  /// ```
  ///
  /// - Parameters:
  ///   - duration: how long to scan.
  ///   - received: called for each headphone that was found, and again with what is new of it.
  /// - Returns: all headphones found, in the order of their discovery.
  /// - Throws: ``CommandError/radio(_:)`` or ``CommandError/adapter(_:)`` if scanning is impossible.
  public func scan(
    for duration: Duration, received: @MainActor (HeadphoneState) -> Void
  ) async throws(CommandError) -> [HeadphoneState] {
    let start = effects.dependencies.now()
    var found: [HeadphoneID] = []
    var failure: CommandError?
    var began = false
    await first(within: duration) { [store] state in
      for headphone in state.headphones where headphone.isInRange(since: start) {
        if !found.contains(headphone.id) { found.append(headphone.id) }
        received(headphone)
      }
      if state.scan == .scanning { return false }
      failure = state.scanFailure
      guard failure == nil, case .ready = state.adapter else { return failure != nil }
      began = true
      store.press(.scan)
      return false
    }
    if began, state.scan == .scanning { store.press(.scan) }
    if let failure { throw effects.adapterFailure.map(CommandError.radio) ?? failure }
    if let obstacle = await effects.dependencies.radio.scanObstacle() { throw .radio(obstacle) }
    return found.compactMap { state.headphones[$0] }
  }
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
