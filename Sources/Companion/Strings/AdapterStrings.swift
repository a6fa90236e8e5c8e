import Bluetooth

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
    case .absent: "plug one in, or try --adapter virtual"
    case .off: "earshot power on"
    case .blocked: "rfkill unblock bluetooth, or use the machine's switch"
    case .denied(let capability): setcapCommand(capability)
    }
  }
}
