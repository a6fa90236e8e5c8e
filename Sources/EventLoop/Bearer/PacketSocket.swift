internal import BluetoothCodec
internal import Glibc

/// A non-blocking SOCK_SEQPACKET descriptor, of which each call transfers one packet.
struct PacketSocket: Sendable {
  /// The size of the receive buffer in bytes.
  ///
  /// It exceeds every ATT_MTU that Earshot agrees to, so that a longer packet is detected and not
  /// truncated.
  static let roomForPacket = 1024

  /// The result of one receive call.
  enum Received {
    /// One whole packet; empty at the end of the connection.
    case packet(Bytes)
    /// A packet of `count` bytes, which exceeds the buffer and is lost.
    case tooLong(count: Int)
    /// No packet is waiting.
    case nothing
    /// The call failed with this errno.
    case failed(Int32)
  }

  /// The socket, which the bearer owns.
  var descriptor: Int32

  /// Receives one packet without blocking.
  func receive() -> Received {
    withUnsafeTemporaryAllocation(byteCount: Self.roomForPacket, alignment: 1) { room in
      let flags = Int32(MSG_DONTWAIT | MSG_TRUNC)
      switch systemCall({ recv(descriptor, room.baseAddress, room.count, flags) }) {
      case .done(let count) where count > room.count: return .tooLong(count: count)
      case .done(let count): return .packet(Self.copy(room, count))
      case .wouldBlock: return .nothing
      case .failed(let code): return .failed(code)
      }
    }
  }

  /// The first bytes of the buffer as an array.
  private static func copy(_ room: UnsafeMutableRawBufferPointer, _ count: Int) -> Bytes {
    Bytes(
      [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
        if let from = room.baseAddress, let to = bytes.baseAddress { memcpy(to, from, count) }
        filled = count
      })
  }

  /// Sends one packet without blocking, and without SIGPIPE.
  func send(_ packet: Bytes) -> SystemResult {
    packet.withUnsafeBytes { bytes in
      let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
      return systemCall { Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags) }
    }
  }

  /// The pending error of the socket (SO_ERROR), 0 if there is none; reading it clears it.
  func pendingError() -> Int32 { (try? integerOption(SO_ERROR)) ?? 0 }

  /// Sets the size of the kernel's send buffer (SO_SNDBUF) in bytes, which the kernel doubles.
  ///
  /// - Throws: the error of `setsockopt`.
  func setSendBuffer(bytes: Int) throws(SystemCallError) {
    var value = Int32(clamping: bytes)
    let size = socklen_t(MemoryLayout<Int32>.size)
    try call("setsockopt SO_SNDBUF") {
      Int(setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &value, size))
    }
  }

  /// A socket option that is an integer.
  private func integerOption(_ option: Int32) throws(SystemCallError) -> Int32 {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    try call("getsockopt") { Int(getsockopt(descriptor, SOL_SOCKET, option, &value, &size)) }
    return value
  }
}
