/// What is known of the Bluetooth adapter.
public enum AdapterState: Hashable, Sendable {
  /// Nobody has looked yet.
  case unknown
  /// The machine has none, or not the one that was asked for.
  case absent
  /// It is there and not up.
  case off(adapter: String)
  /// A switch or rfkill blocks the radio.
  case blocked(adapter: String)
  /// The kernel keeps this program from the adapter itself.
  case denied(capability: String)
  /// It can be used.
  case ready(AdapterIdentity)
}

/// An adapter as a person tells it from others.
public struct AdapterIdentity: Hashable, Sendable {
  /// "hci0", or "virtual".
  public var name: String
  /// Upper case, "00:1A:7D:DA:71:13".
  public var address: String
  /// Its headphones exist in this program only; always said on the screen.
  public var isVirtual: Bool

  public init(name: String, address: String, isVirtual: Bool) {
    self.name = name
    self.address = address
    self.isVirtual = isVirtual
  }
}

/// Whether headphones are looked for.
public enum ScanState: Hashable, Sendable {
  case idle
  case scanning
  /// Scanning needs a capability; known headphones can be connected all the same.
  case denied(capability: String)
  /// The last scan ended early, in words.
  case failed(String)
}
