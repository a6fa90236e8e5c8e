internal import Glibc

/// Writes once.
///
/// - Returns: the number of bytes that the kernel took.
public func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> SystemResult {
  bytes.withUnsafeBytes { bytes in
    systemCall { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
  }
}

/// Writes as many bytes as a blocking descriptor takes at once.
///
/// - Returns: the number of bytes that it took; "would block" if it took none.
public func writeWhatFits(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> SystemResult {
  guard hasCapacity(descriptor, within: 0) else { return .wouldBlock }
  // When poll reports room, pipes and terminals take at least this many.
  return write(bytes.prefix(256), to: descriptor)
}

/// Whether a descriptor can be written within a time; one that has hung up can.
///
/// - Parameter milliseconds: the time-out; -1: none.
public func hasCapacity(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
  var awaited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  return poll(&awaited, 1, milliseconds) == 1
}
