internal import BluetoothCodec

/// The reason of a negative acknowledgement (published layout, "Acknowledgement").
enum FastPairRefusal: Hashable, Sendable {
  case notSupported, busy
  /// The command is not allowed in the current state, for example for a bud in an ear.
  case notNow
  case notAuthenticated
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

  /// Returns the refusal as a common error, or nil for ``redundant``.
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
