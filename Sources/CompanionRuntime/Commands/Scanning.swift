internal import BluetoothRadio
package import Companion

extension CommandTarget {
  /// Scans for headphones, alongside other scans, and returns them in the order of discovery.
  ///
  /// Connected headphones are included: they are in range, but may not advertise. A scan that ends
  /// early is restarted, and one that was not running before is stopped at the end.
  ///
  /// - Parameter received: Called for each headphone that was found, and again for changes. A
  ///   headphone that may be a known one whose audio side has not been heard yet is reported at the
  ///   end.
  package func scan(
    for duration: Duration, received: @MainActor (HeadphoneState) -> Void
  ) async throws(CommandError) -> [HeadphoneState] {
    let start = effects.dependencies.now()
    var found: [HeadphoneID] = []
    var failure: CommandError?
    var began = false
    await first(within: duration) { [store] state in
      for headphone in state.headphones where headphone.isInRange(since: start) {
        if !found.contains(headphone.id) { found.append(headphone.id) }
        if !state.mayBeKnown(headphone, since: start) { received(headphone) }
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
    let all = found.compactMap { state.headphones[$0] }
    for headphone in all { received(headphone) }
    return all
  }
}

extension State {
  /// Returns whether the headphone may be a known one, with which it is then merged.
  fileprivate func mayBeKnown(_ headphone: HeadphoneState, since start: Timestamp) -> Bool {
    headphone.isAdvertisingOnly
      && headphones.contains {
        $0.id != headphone.id && $0.name == headphone.name && !$0.isInRange(since: start)
      }
  }
}

extension AdapterState {
  var isUnusable: Bool {
    switch self {
    case .unknown, .ready: false
    case .absent, .off, .blocked, .denied: true
    }
  }
}

extension State {
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
