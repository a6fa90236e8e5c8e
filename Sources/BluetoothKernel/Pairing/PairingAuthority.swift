internal import EventLoop

enum PairingAuthority: Hashable, Sendable {
  /// This process: it has the capability, and no daemon runs.
  case own
  /// bluetoothd, which also keeps the keys.
  case daemon
  /// Any process with the capability, which this one lacks.
  case others

  static func now() async -> PairingAuthority {
    await FileIO.shared.run {
      // Loading keys replaces the kernel's whole list, so a daemon is assumed if it may be hidden.
      guard BluetoothSurvey.runs("bluetoothd") == false else { return .daemon }
      return ProcessRights()?.effective.contains(.netAdmin) == true ? .own : .others
    }
  }
}
