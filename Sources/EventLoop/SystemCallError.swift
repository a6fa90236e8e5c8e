internal import Bluetooth

/// The failure of an operation on a descriptor.
public enum SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A system call failed; `during` names it.
  case system(errno: Int32, during: String)
  /// The waiting task was cancelled.
  case cancelled
  /// The descriptor was closed while a task waited for it.
  case closed

  public var description: String {
    switch self {
    case .system(let code, let call): "\(call): \(describeErrno(code))"
    case .cancelled: "cancelled"
    case .closed: "the descriptor was closed"
    }
  }
}
