internal import Glibc

/// Waits until a server listens on the socket; its directory reports when it appears.
///
/// - Throws: after two minutes, since the wait holds a thread of the tests.
package func waitForSocket(_ path: String) throws {
  let watch = inotify_init1(Int32(IN_CLOEXEC))
  guard watch >= 0, let slash = path.lastIndex(of: "/") else {
    throw RigFailure("cannot watch \(path): errno \(errno)")
  }
  defer { close(watch) }
  inotify_add_watch(watch, String(path[..<slash]), UInt32(IN_CREATE | IN_ATTRIB))
  var wanted = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
  var events = [UInt8](repeating: 0, count: 4096)
  let deadline = ContinuousClock.now + .seconds(120)
  while !listens(path) {
    guard ContinuousClock.now < deadline else { throw RigFailure("nothing listens on \(path)") }
    // Appeared, but not listening yet: the two are microseconds apart.
    if access(path, F_OK) == 0 {
      sched_yield()
    } else {
      guard poll(&wanted, 1, 120_000) == 1 else { throw RigFailure("\(path) did not appear") }
      _ = read(watch, &events, events.count)
    }
  }
}

private func listens(_ path: String) -> Bool {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
  return withUnsafePointer(to: &address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
    }
  }
}
