internal import Bluetooth

extension Dependencies {
  /// The adapter's connections; nil: the radio cannot list them, or did not within `limit`.
  func links(for limit: Duration) async -> [RadioLink]? {
    await first(of: radio.links(), for: limit, by: clock)
  }
}
