internal import EventLoop

/// The process that answers the kernel's questions about pairing on this machine.
enum PairingAuthority: Hashable, Sendable {
  /// This process: it has the capability, and no daemon runs.
  case own
  /// bluetoothd, which also keeps the keys.
  case daemon
  /// Any process with the capability; this one has not.
  case others

  /// The authority at this moment, by the processes in `/proc`, which are read on the file thread.
  static func now() async -> PairingAuthority {
    await FileIO.shared.run {
      // Loading keys replaces the kernel's whole list: a daemon that is hidden is spared, too.
      guard BluetoothSurvey.runs("bluetoothd") == false else { return .daemon }
      return ProcessRights()?.effective.contains(.netAdmin) == true ? .own : .others
    }
  }
}
