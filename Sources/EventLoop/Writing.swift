internal import Glibc

/// Makes one `write` call; a pipe without a reader raises SIGPIPE unless that is ignored.
package func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> SystemResult {
  bytes.withUnsafeBytes { bytes in
    systemCall { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
  }
}

/// Writes what a pipe or a terminal accepts without blocking, even if it is in blocking mode.
///
/// At most 4,096 bytes to a pipe and 256 to a terminal; `wouldBlock` if it accepts none.
package func writeWhatFits(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> SystemResult {
  guard hasCapacity(descriptor, within: 0) else { return .wouldBlock }
  // When poll reports room, a pipe accepts at least this many bytes by pipe(7).
  return write(bytes.prefix(isPipe(descriptor) ? Int(PIPE_BUF) : 256), to: descriptor)
}

/// Returns whether a descriptor is an end of a pipe.
package func isPipe(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
}

/// Opens a terminal a second time, without blocking, or returns nil if that is impossible.
///
/// The modes of an open file belong to all its users, and a shell must not be left with a
/// non-blocking terminal. ``writeWhatFits(_:to:)`` may block on a terminal with room for a few
/// bytes only. The result is nil for anything but a terminal, and after su.
package func openAgain(terminal descriptor: Int32) -> Int32? {
  guard isatty(descriptor) == 1 else { return nil }
  let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  return own >= 0 ? own : nil
}

/// Returns whether a descriptor can be written, or hung up, within a time; -1 for no limit.
package func hasCapacity(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
  var awaited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  return poll(&awaited, 1, milliseconds) == 1
}
