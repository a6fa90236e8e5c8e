internal import BluetoothRadio
internal import Companion

extension Dependencies {
  /// Returns the state of the adapter in use: the configured one, else the first powered one.
  func lookAtAdapter() async throws(RadioError) -> AdapterState {
    let adapters = try await radio.adapters()
    if let adapter {
      guard let named = adapters.first(where: { $0.name == adapter }) else {
        throw .unknownAdapter(adapter)
      }
      return AdapterState(named)
    }
    guard let first = adapters.first(where: \.isPowered) ?? adapters.first else {
      throw .noAdapter
    }
    return AdapterState(first)
  }
}

extension Dependencies {
  /// Returns the adapter's connections, or nil if the radio does not list them within `limit`.
  func links(for limit: Duration) async -> [RadioLink]? {
    await first(of: radio.links(), for: limit, by: clock)
  }
}
