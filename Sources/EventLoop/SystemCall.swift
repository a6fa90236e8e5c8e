internal import BluetoothRadio
internal import Glibc

/// The result of a system call on a non-blocking descriptor.
package enum SystemResult: Hashable, Sendable {
  /// The call returned this number, 0 or more: a count of bytes or a descriptor.
  case done(Int)
  case wouldBlock
  /// The call failed with this errno.
  case failed(Int32)
}

/// Makes a system call, repeating it on EINTR.
///
/// - Parameter body: returns a negative number on failure, and sets `errno`.
package func systemCall(_ body: () -> Int) -> SystemResult {
  while true {
    let result = body()
    if result >= 0 { return .done(result) }
    switch errno {
    case EINTR: continue
    case EAGAIN, EWOULDBLOCK: return .wouldBlock
    default: return .failed(errno)
    }
  }
}

/// The failure of an operation on a descriptor.
public enum SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A system call failed; `during` names it.
  case system(errno: Int32, during: String)
  case cancelled
  case closed

  public var description: String {
    switch self {
    case .system(let code, let call): "\(call): \(describeErrno(code))"
    case .cancelled: "cancelled"
    case .closed: "the descriptor was closed"
    }
  }
}
