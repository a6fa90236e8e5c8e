internal import CPoll
internal import Glibc

struct Epoll: Sendable {
  let descriptor: Int32

  init() throws(SystemCallError) {
    descriptor = try call("epoll_create1") { Int(epoll_create1(Int32(EPOLL_CLOEXEC))) }
  }

  /// Adds a descriptor; throws EEXIST if it was added before, EPERM for a regular file.
  func add(_ descriptor: Int32, _ interest: Readiness, key: UInt64) throws(SystemCallError) {
    try control(EPOLL_CTL_ADD, descriptor, interest, key)
  }

  func change(_ descriptor: Int32, to interest: Readiness, key: UInt64) throws(SystemCallError) {
    try control(EPOLL_CTL_MOD, descriptor, interest, key)
  }

  func remove(_ descriptor: Int32) {
    try? control(EPOLL_CTL_DEL, descriptor, [], 0)
  }

  /// Waits for events and returns their number, or 0 after the timeout (-1 for none).
  func wait(milliseconds: Int32, into events: UnsafeMutableBufferPointer<epoll_event>) -> Int {
    guard let first = events.baseAddress else { return 0 }
    let result = systemCall {
      Int(epoll_wait(descriptor, first, Int32(events.count), milliseconds))
    }
    guard case .done(let count) = result else { return 0 }
    return count
  }

  private func control(
    _ operation: Int32, _ target: Int32, _ interest: Readiness, _ key: UInt64
  ) throws(SystemCallError) {
    var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: key))
    try call("epoll_ctl") { Int(epoll_ctl(descriptor, operation, target, &event)) }
  }
}

/// Makes a system call; `body` returns a negative number on failure, and sets `errno`.
@discardableResult
func call(_ name: String, _ body: () -> Int) throws(SystemCallError) -> Int32 {
  switch systemCall(body) {
  case .done(let value): return Int32(truncatingIfNeeded: value)
  case .wouldBlock: throw .system(errno: EAGAIN, during: name)
  case .failed(let code): throw .system(errno: code, during: name)
  }
}
