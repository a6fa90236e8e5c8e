package import BluetoothRadio

/// The state of the Bluetooth adapter, which must be `ready` for control links.
package enum AdapterState: Hashable, Sendable {
  /// The state is not known yet.
  case unknown
  /// The computer does not have the adapter.
  case absent
  /// The adapter is not powered.
  case off(adapter: String)
  /// A switch or rfkill blocks the radio.
  case blocked(adapter: String)
  /// The process lacks a capability that the adapter needs.
  case denied(capability: String)
  case ready(Adapter)
}

extension AdapterState {
  /// Creates the state of an existing adapter.
  package init(_ adapter: Adapter) {
    self =
      if adapter.isPowered {
        .ready(adapter)
      } else if adapter.isBlocked {
        .blocked(adapter: adapter.name)
      } else {
        .off(adapter: adapter.name)
      }
  }

  /// Creates the state of the adapter that `error` implies, or `unknown` if it implies none.
  package init(_ error: RadioError) {
    self =
      switch error {
      case .noAdapter, .unknownAdapter: .absent
      case .poweredOff(let adapter): .off(adapter: adapter)
      case .blocked(let adapter): .blocked(adapter: adapter)
      case .notPermitted(_, let capability): .denied(capability: capability)
      case .noBluetoothd, .bluetoothdUnresponsive, .busy, .noRoom, .timedOut, .refused, .unpaired,
        .cancelled, .controller, .bluetoothd, .system:
        .unknown
      }
  }
}

/// Whether the app scans for headphones.
package enum ScanState: Hashable, Sendable {
  case idle
  case scanning
  /// Scanning needs a capability or bluetoothd; known headphones can be connected without it.
  case denied(capability: String, isBluetoothdGone: Bool = false)
  /// The last scan failed.
  case failed(RadioError)
}

extension AdapterState {
  /// The state in a few words, in lower case.
  package var displayText: String {
    switch self {
    case .unknown: "adapter unknown"
    case .absent: "no Bluetooth adapter"
    case .off(let adapter): "Bluetooth is off (\(adapter))"
    case .blocked(let adapter): "Bluetooth is blocked by rfkill (\(adapter))"
    case .denied(let capability): "the adapter needs \(capability)"
    case .ready(let adapter): "Bluetooth is on (\(adapter.name))"
    }
  }

  /// What the user can do, or "" if nothing.
  package var advice: String {
    switch self {
    case .unknown, .ready: ""
    case .absent: "plug one in"
    case .off: "earshot power on"
    case .blocked: "rfkill unblock bluetooth, or use the machine's switch"
    case .denied(let capability): setcapCommand(capability)
    }
  }
}
