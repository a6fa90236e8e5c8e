internal import Glibc

/// The result of a system call that may block.
public enum SystemResult: Hashable, Sendable {
  /// What the call returned, 0 or more: bytes, or a descriptor.
  case done(Int)
  case wouldBlock
  /// `errno`.
  case failed(Int32)
}

/// Makes a system call, again on EINTR.
///
/// - Parameter body: returns a negative number on failure, and sets `errno`.
/// - Returns: the result; "would block" is no failure.
public func systemCall(_ body: () -> Int) -> SystemResult {
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
