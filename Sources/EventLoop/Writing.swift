internal import Glibc

/// Writes once; how many of the bytes were taken.
public func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> SystemResult {
  bytes.withUnsafeBytes { bytes in
    systemCall { Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
  }
}

/// Writes as many bytes as a descriptor that blocks takes at once; "would block" if it takes none.
public func writeWhatFits(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> SystemResult {
  guard hasCapacity(descriptor, within: 0) else { return .wouldBlock }
  // A kernel that says that there is room takes as many, for a pipe as well as for a terminal.
  return write(bytes.prefix(256), to: descriptor)
}

/// Whether a descriptor takes bytes, now or within so many milliseconds; one that has hung up does.
public func hasCapacity(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
  var awaited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  return poll(&awaited, 1, milliseconds) == 1
}
