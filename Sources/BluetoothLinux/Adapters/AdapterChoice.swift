internal import Bluetooth

/// The choice of an adapter by the user's option and the adapters' states.
///
/// | adapters | option | result |
/// | --- | --- | --- |
/// | none | any | `noAdapter`; `blocked` if any Bluetooth switch blocks |
/// | some | none | the first that is on, else the first |
/// | some | a name | the one of that name; `unknownAdapter` without it |
///
/// An adapter that is off gives `blocked` if its switch blocks, else `poweredOff`.
struct AdapterChoice: Sendable {
  /// The name from `--adapter`; `nil` for the first adapter that is switched on.
  var name: String?
  /// The radio switches, which explain why an adapter is off.
  var switches = RfkillState()

  /// The adapter to use.
  ///
  /// - Throws: `noAdapter`, `unknownAdapter`, `poweredOff` or `blocked`.
  func choose() throws(RadioError) -> AdapterInfo { try choose(among: try AdapterInfo.all()) }

  /// The reason why a chosen adapter can no longer be used.
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

  /// The adapter to use among these.
  ///
  /// - Throws: `noAdapter`, `unknownAdapter`, `poweredOff` or `blocked`.
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

  /// The selected adapter, on or off; `nil` if there is no adapter at all.
  ///
  /// - Throws: `unknownAdapter` if none of them has the name.
  func candidate(among adapters: [AdapterInfo]) throws(RadioError) -> AdapterInfo? {
    guard let name else { return adapters.first(where: \.isPowered) ?? adapters.first }
    guard !adapters.isEmpty else { return nil }
    guard let named = adapters.first(where: { $0.name == name }) else {
      throw .unknownAdapter(name)
    }
    return named
  }

  /// Whether the adapter of a name is the one that is used where none is named.
  static func isDefault(_ name: String, among adapters: [AdapterInfo]) -> Bool {
    (try? AdapterChoice().candidate(among: adapters))?.name == name
  }
}
