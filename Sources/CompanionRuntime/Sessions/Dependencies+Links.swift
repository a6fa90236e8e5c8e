internal import Bluetooth

extension Dependencies {
  /// The adapter's links now; nil: the radio cannot tell, or not within `limit`.
  func links(for limit: Duration) async -> [RadioLink]? {
    await first(of: radio.links(), for: limit, by: clock)
  }
}
