internal import BluetoothCodec

/// Why a headphone did not do what the message stream asked (published layout, "Acknowledgement").
enum FastPairRefusal: Hashable, Sendable {
  case notSupported, busy
  /// For example a bud that is in an ear.
  case notNow
  case notAuthenticated
  /// It is so already.
  case redundant
  /// A reason that is not published.
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

  /// The refusal as a common error; nil: there is nothing to report.
  func error(of order: String) -> HeadphoneError? {
    switch self {
    case .notSupported: .unsupported(order)
    case .busy: .refused(.busy)
    case .notNow: .refused(.wrongState)
    case .notAuthenticated: .refused(.notPermitted)
    case .redundant: nil
    case .other(let reason): .refused(.other(reason))
    }
  }
}
