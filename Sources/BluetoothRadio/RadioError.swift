internal import BluetoothCodec

/// The reason why a radio failed.
public enum RadioError: Error, Hashable, Sendable {
  case noAdapter
  /// There is no adapter with this name.
  case unknownAdapter(String)
  /// The adapter is switched off.
  case poweredOff(adapter: String)
  /// A hardware switch or rfkill blocks the radio.
  case blocked(adapter: String)
  /// The kernel requires a capability, such as CAP_NET_RAW for scanning.
  case notPermitted(operation: String, capability: String)
  /// bluetoothd is not running, and without it the kernel requires a capability.
  case noBluetoothd(operation: String, capability: String)
  /// bluetoothd is running but does not respond.
  case bluetoothdUnresponsive(during: String)
  /// Another program or socket has the channel to this headphone, as the text tells.
  case busy(String)
  case noRoom
  case timedOut
  case refused
  /// The headphone is not paired, and nobody can be asked whether to pair it.
  case unpaired
  case cancelled
  /// The controller completed a command with this HCI status.
  case controller(status: UInt8, during: String)
  /// Another error from bluetoothd, with its message.
  case bluetoothd(String, during: String)
  /// Another system error, with the kernel's `errno`.
  case system(errno: Int32, during: String)
}

extension RadioError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noAdapter: "no Bluetooth adapter"
    case .unknownAdapter(let name): "no Bluetooth adapter named \(name)"
    case .poweredOff(let adapter): "the Bluetooth adapter \(adapter) is off"
    case .blocked(let adapter): "the Bluetooth adapter \(adapter) is blocked by rfkill"
    case .notPermitted(let operation, let capability):
      "\(operation) is not permitted: it needs \(capability)"
    case .noBluetoothd(let operation, let capability):
      "bluetoothd is not running, and \(operation) without it needs \(capability)"
    case .bluetoothdUnresponsive: "bluetoothd does not answer"
    case .busy(let what): what
    case .noRoom: "the adapter has no room for another link"
    case .timedOut: "the headphone did not answer in time"
    case .refused: "the headphone refused the connection"
    case .unpaired: "the headphone is not paired with this computer"
    case .cancelled: "cancelled"
    case .controller(let status, let operation):
      "the adapter failed at \(operation): \(HCIStatus(rawValue: status))"
    case .bluetoothd(let words, let operation):
      "bluetoothd failed at \(operation): \(words)"
    case .system(let code, let operation): "\(operation): \(describeErrno(code))"
    }
  }

  /// What the user can do about the failure, or an empty text if nothing.
  public var advice: String {
    switch self {
    case .noAdapter:
      "plug an adapter in; to look around without one: earshot demo"
    case .unknownAdapter: "leave --adapter out to take the first one"
    case .poweredOff: "switch Bluetooth on: earshot power on"
    case .blocked: "unblock it: rfkill unblock bluetooth, or use the switch on the machine"
    case .notPermitted(_, let capability): "grant it: \(setcapCommand(capability))"
    case .noBluetoothd: "start it: sudo systemctl start bluetooth"
    case .bluetoothdUnresponsive: "restart it: sudo systemctl restart bluetooth"
    case .busy: "end the other program, or disconnect the headphone there, and try again"
    case .noRoom: "disconnect another headphone"
    case .timedOut: "bring the headphone near, take it out of its case, switch it on"
    case .refused: "put the headphone in pairing mode, or disconnect it from the other device"
    case .unpaired: "pair it first: earshot pair NAME (with --yes in a script), or p on the screen"
    case .cancelled: ""
    case .controller: "switch the adapter off and on; if it happens again, record it with --capture"
    case .bluetoothd: "try again; if it happens again: sudo systemctl restart bluetooth"
    case .system: "try again; if it happens again, record it with --capture and report it"
    }
  }
}

/// Returns the command that grants the program capabilities, such as "CAP_NET_RAW".
///
/// `setcap` does not follow links, and the shell may find one, so the command uses `readlink -f`.
package func setcapCommand(_ capabilities: String) -> String {
  "sudo setcap \(capabilities.lowercased())+ep \"$(readlink -f \"$(command -v earshot)\")\""
}
