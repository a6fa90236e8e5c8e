/// The reason why a radio failed.
public enum RadioError: Error, Hashable, Sendable {
  /// There is no Bluetooth adapter, or the kernel has no Bluetooth.
  case noAdapter
  /// There is no adapter of this name.
  case unknownAdapter(String)
  /// The adapter is switched off.
  case poweredOff(adapter: String)
  /// A switch or rfkill blocks the radio.
  case blocked(adapter: String)
  /// The kernel requires a capability, for example CAP_NET_RAW for scanning.
  case notPermitted(operation: String, capability: String)
  /// bluetoothd, which does it for every user, is not running, and the kernel requires a capability.
  case noBluetoothd(operation: String, capability: String)
  /// bluetoothd, which does it for every user, is running and answers nothing.
  case bluetoothdUnresponsive(during: String)
  /// Another program or socket has the channel to this headphone; the text says which.
  case busy(String)
  /// The adapter has as many links as it supports.
  case noRoom
  /// No device answered within the time-out.
  case timedOut
  /// The peripheral or the kernel refused the connection.
  case refused
  /// The caller cancelled the attempt.
  case cancelled
  /// The controller completed a command with this HCI status.
  case controller(status: UInt8, during: String)
  /// Another error of bluetoothd, with its message.
  case bluetoothd(String, during: String)
  /// Another system error, with the kernel's `errno`.
  case system(errno: Int32, during: String)
}
