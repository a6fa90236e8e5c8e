/// Why the session bus could not be asked.
public enum BusError: Error, Hashable, Sendable {
  /// Nobody listens: a container, ssh without a session. A normal state.
  case noBus
  /// It was there, and did not answer in time; what was asked may have happened all the same.
  case timedOut
  /// Who was asked refused, or is not there: the error's D-Bus name and words.
  case refused(name: String, displayText: String)
  /// A call of libsystemd failed; `errno` is positive.
  case system(errno: Int32, during: String)
}

extension BusError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noBus: "no session bus"
    case .timedOut: "the session bus did not answer"
    case .refused(let name, let displayText): displayText.isEmpty ? name : displayText
    case .system(let code, let operation): "\(operation): errno \(code)"
    }
  }
}
