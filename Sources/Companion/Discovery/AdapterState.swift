package import BluetoothRadio

/// The state of the Bluetooth adapter, which must be `ready` for control links.
package enum AdapterState: Hashable, Sendable {
  case unknown
  case absent
  case off(adapter: String)
  /// A switch or rfkill blocks the radio.
  case blocked(adapter: String)
  case denied(capability: String)
  case ready(Adapter)
}

extension AdapterState {
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

package enum ScanState: Hashable, Sendable {
  case idle
  case scanning
  /// Scanning needs a capability or bluetoothd; known headphones can be connected without it.
  case denied(capability: String, isBluetoothdGone: Bool = false)
  case failed(RadioError)
}

extension AdapterState {
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
