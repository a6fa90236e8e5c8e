/// The reason why a radio failed.
public enum RadioError: Error, Hashable, Sendable {
  /// There is no Bluetooth adapter (or the kernel has no Bluetooth).
  case noAdapter
  /// `--adapter` names one that does not exist.
  case unknownAdapter(String)
  /// The adapter is switched off.
  case poweredOff(adapter: String)
  /// A switch or rfkill blocks the radio.
  case blocked(adapter: String)
  /// The kernel demands a capability, for example CAP_NET_RAW for scanning.
  case notPermitted(operation: String, capability: String)
  /// Another program or socket holds the channel to this headphone.
  case busy(String)
  /// The adapter has as many links as it supports.
  case noRoom
  /// Nothing answered within the time-out.
  case timedOut
  /// The peripheral refused.
  case refused
  /// The caller cancelled.
  case cancelled
  /// The controller answered a command with an error status.
  case controller(status: UInt8, during: String)
  /// bluetoothd answered with an error, in its words.
  case bluetoothd(String, during: String)
  /// Another system error.
  case system(errno: Int32, during: String)
}
