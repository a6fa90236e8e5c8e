internal import Glibc

/// Makes one `write` call.
///
/// - Parameters:
///   - bytes: what to write.
///   - descriptor: where to; a pipe without a reader raises SIGPIPE unless it is ignored.
/// - Returns: the number of bytes that the kernel accepted.
public func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> SystemResult {
  bytes.withUnsafeBytes { bytes in
    systemCall { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
  }
}

/// Writes as many bytes as a blocking descriptor accepts at once.
///
/// - Parameters:
///   - bytes: of a pipe at most 4,096 are written, of a terminal 256.
///   - descriptor: a pipe or a terminal, perhaps in blocking mode.
/// - Returns: the number of bytes that it accepted; `wouldBlock` if it accepted none.
public func writeWhatFits(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> SystemResult {
  guard hasCapacity(descriptor, within: 0) else { return .wouldBlock }
  // When poll reports room, they accept at least this many: a pipe by pipe(7).
  return write(bytes.prefix(isPipe(descriptor) ? Int(PIPE_BUF) : 256), to: descriptor)
}

/// Whether a descriptor is an end of a pipe.
public func isPipe(_ descriptor: Int32) -> Bool {
  var status = stat()
  return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
}

/// Opens a terminal a second time, without blocking.
///
/// The modes of an open file belong to all its users: a shell must not be left with a terminal that does
/// not block. ``writeWhatFits(_:to:)`` may block on a terminal that has room for a few bytes only.
///
/// - Parameter descriptor: of the terminal.
/// - Returns: the new descriptor; nil for what is no terminal, or is another user's, as after su.
public func openAgain(terminal descriptor: Int32) -> Int32? {
  guard isatty(descriptor) == 1 else { return nil }
  let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
  return own >= 0 ? own : nil
}

/// Whether a descriptor can be written within a time, which is also true after a hang-up.
///
/// - Parameters:
///   - descriptor: open.
///   - milliseconds: the time-out; -1 for none.
public func hasCapacity(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
  var awaited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  return poll(&awaited, 1, milliseconds) == 1
}
