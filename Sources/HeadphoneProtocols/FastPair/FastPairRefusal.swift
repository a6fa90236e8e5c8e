internal import BluetoothCodec

/// The reason of a negative acknowledgement (published layout, "Acknowledgement").
enum FastPairRefusal: Hashable, Sendable {
  /// The command is not supported (0), or the headphone is busy (1).
  case notSupported, busy
  /// The command is not allowed in the current state (2), such as for a bud in an ear.
  case notNow
  /// The command requires an account key (3).
  case notAuthenticated
  /// The state is already as requested (4).
  case redundant
  case other(UInt8)

  init(_ reason: UInt8) {
    self =
      switch reason {
      case 0: .notSupported
      case 1: .busy
      case 2: .notNow
      case 3: .notAuthenticated
      case 4: .redundant
      default: .other(reason)
      }
  }

  /// Returns the refusal as a common error, or nil if there is nothing to report.
  func error(of command: String) -> HeadphoneError? {
    switch self {
    case .notSupported: .unsupported(command)
    case .busy: .refused(.busy)
    case .notNow: .refused(.wrongState)
    case .notAuthenticated: .refused(.notPermitted)
    case .redundant: nil
    case .other(let reason): .refused(.other(reason))
    }
  }
}
