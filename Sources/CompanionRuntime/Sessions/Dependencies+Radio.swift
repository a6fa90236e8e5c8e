internal import Bluetooth
internal import Companion

extension Dependencies {
  /// The state of the adapter in use: the one configured, else the first that is powered.
  ///
  /// - Throws: ``RadioError`` if there is none.
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
  /// The adapter's connections; nil: the radio cannot list them, or did not within `limit`.
  func links(for limit: Duration) async -> [RadioLink]? {
    await first(of: radio.links(), for: limit, by: clock)
  }
}
