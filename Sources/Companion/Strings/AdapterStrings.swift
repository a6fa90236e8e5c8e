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
    case .denied(let capability): permissionAdvice(capability)
    }
  }
}

/// The command that gives the program a capability.
///
/// `setcap` works on the file, not on the link that the shell finds; hence `readlink -f`.
func permissionAdvice(_ capability: String) -> String {
  "sudo setcap \(capability.lowercased())+ep \"$(readlink -f \"$(command -v earshot)\")\""
}
