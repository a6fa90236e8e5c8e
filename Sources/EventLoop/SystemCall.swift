internal import Glibc

/// What a system call that may block said.
public enum SystemResult: Hashable, Sendable {
  /// What the call returned, 0 or more: bytes, or a descriptor.
  case done(Int)
  case wouldBlock
  /// `errno`.
  case failed(Int32)
}

/// The one place where system calls are made: repeated on EINTR, "would block" as a value.
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
