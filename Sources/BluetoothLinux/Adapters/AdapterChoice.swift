internal import Bluetooth

/// Which adapter to use, or why none can be.
struct AdapterChoice: Sendable {
  /// From `--adapter`; nil: the first that is on.
  var name: String?
  var switches = RfkillState()

  /// The adapter as it is now.
  func choose() throws(RadioError) -> AdapterInfo { try choose(among: try AdapterInfo.all()) }

  /// Why an adapter that was chosen is of no use any more.
  func whyNot(_ adapter: AdapterInfo) -> RadioError {
    do {
      _ = try AdapterChoice(name: adapter.name, switches: switches).choose()
      return .poweredOff(adapter: adapter.name)
    } catch .unknownAdapter {
      return .noAdapter
    } catch {
      return error
    }
  }

  func choose(among adapters: [AdapterInfo]) throws(RadioError) -> AdapterInfo {
    guard let chosen = try candidate(among: adapters) else {
      throw switches.isBlocked() ? .blocked(adapter: name ?? "hci0") : .noAdapter
    }
    guard chosen.isPowered else {
      throw switches.isBlocked(chosen.name)
        ? .blocked(adapter: chosen.name) : .poweredOff(adapter: chosen.name)
    }
    return chosen
  }

  /// The adapter that is meant, on or off; nil: there is none at all.
  func candidate(among adapters: [AdapterInfo]) throws(RadioError) -> AdapterInfo? {
    guard let name else { return adapters.first(where: \.isPowered) ?? adapters.first }
    guard !adapters.isEmpty else { return nil }
    guard let named = adapters.first(where: { $0.name == name }) else {
      throw .unknownAdapter(name)
    }
    return named
  }
}
