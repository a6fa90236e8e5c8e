public import Bluetooth

/// The Bluetooth adapter that the app uses, as far as it is known.
///
/// The control link needs `ready`; what else the program can do without it is shown by ``advice``.
public enum AdapterState: Hashable, Sendable {
  /// Not asked for yet.
  case unknown
  /// The machine has no adapter, or not the one that was asked for.
  case absent
  /// The adapter is there and not powered.
  case off(adapter: String)
  /// A switch or rfkill blocks the radio.
  case blocked(adapter: String)
  /// The process lacks a capability that the adapter needs.
  case denied(capability: String)
  /// The adapter can be used.
  case ready(Adapter)
}

extension AdapterState {
  /// The state of an adapter that exists.
  public init(_ adapter: Adapter) {
    self =
      if adapter.isPowered {
        .ready(adapter)
      } else if adapter.isBlocked {
        .blocked(adapter: adapter.name)
      } else {
        .off(adapter: adapter.name)
      }
  }

  /// What an error of the radio says about its adapter.
  ///
  /// An error that says nothing of the adapter, such as a timed-out command, makes its state
  /// unknown.
  public init(_ error: RadioError) {
    self =
      switch error {
      case .noAdapter, .unknownAdapter: .absent
      case .poweredOff(let adapter): .off(adapter: adapter)
      case .blocked(let adapter): .blocked(adapter: adapter)
      case .notPermitted(_, let capability): .denied(capability: capability)
      case .noBluetoothd, .bluetoothdUnresponsive, .busy, .noRoom, .timedOut, .refused, .cancelled,
        .controller, .bluetoothd, .system:
        .unknown
      }
  }
}

/// Whether the app scans for headphones.
public enum ScanState: Hashable, Sendable {
  case idle
  case scanning
  /// Scanning needs a capability, or bluetoothd where that is gone; known headphones can be
  /// connected without it.
  case denied(capability: String, isBluetoothdGone: Bool = false)
  /// The last scan ended early.
  case failed(RadioError)
}

extension AdapterState {
  /// The state in a few words, lower case.
  public var displayText: String {
    switch self {
    case .unknown: "adapter unknown"
    case .absent: "no Bluetooth adapter"
    case .off(let adapter): "Bluetooth is off (\(adapter))"
    case .blocked(let adapter): "Bluetooth is blocked by rfkill (\(adapter))"
    case .denied(let capability): "the adapter needs \(capability)"
    case .ready(let adapter): "Bluetooth is on (\(adapter.name))"
    }
  }

  /// What to do about it; empty: nothing.
  public var advice: String {
    switch self {
    case .unknown, .ready: ""
    case .absent: "plug one in"
    case .off: "earshot power on"
    case .blocked: "rfkill unblock bluetooth, or use the machine's switch"
    case .denied(let capability): setcapCommand(capability)
    }
  }
}
