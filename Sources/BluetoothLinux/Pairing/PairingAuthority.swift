/// Who answers the kernel's questions about pairing on this machine.
enum PairingAuthority: Hashable, Sendable {
  /// This program: it may, and nobody else is there to.
  case own
  /// bluetoothd, which also keeps the keys.
  case daemon
  /// Whoever has the capability; this program has not.
  case others

  /// As it is now.
  static func now() -> PairingAuthority {
    // Loading keys replaces the kernel's whole list: a daemon that cannot be seen is spared, too.
    guard BluetoothSurvey.runs("bluetoothd") == false else { return .daemon }
    return ProcessRights()?.effective.contains(.netAdmin) == true ? .own : .others
  }
}
