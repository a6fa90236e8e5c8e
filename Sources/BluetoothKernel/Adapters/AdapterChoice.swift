internal import BluetoothRadio

/// The choice of an adapter by the user's option and the adapters' states.
///
/// | adapters | option | result |
/// | --- | --- | --- |
/// | none | any | `noAdapter`, or `blocked` if any Bluetooth switch blocks |
/// | some | none | the first that is on, else the first |
/// | some | a name | the one with that name, or `unknownAdapter` |
///
/// An adapter that is off throws `blocked` if its switch blocks, else `poweredOff`.
struct AdapterChoice: Sendable {
  /// The name from `--adapter`, or nil for the first adapter that is switched on.
  var name: String?
  var switches = RfkillState()

  func choose() throws(RadioError) -> AdapterInfo { try choose(among: try AdapterInfo.all()) }

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

  func candidate(among adapters: [AdapterInfo]) throws(RadioError) -> AdapterInfo? {
    guard let name else { return adapters.first(where: \.isPowered) ?? adapters.first }
    guard !adapters.isEmpty else { return nil }
    guard let named = adapters.first(where: { $0.name == name }) else {
      throw .unknownAdapter(name)
    }
    return named
  }

  static func isDefault(_ name: String, among adapters: [AdapterInfo]) -> Bool {
    (try? AdapterChoice().candidate(among: adapters))?.name == name
  }
}
