internal import BluetoothCodec
internal import Glibc

/// A non-blocking descriptor: SOCK_SEQPACKET, with one packet per call, or SOCK_STREAM for RFCOMM.
struct PacketSocket: Sendable {
  /// The size of the receive buffer in bytes: above every ATT_MTU, to detect longer packets.
  static let roomForPacket = 1024

  enum Received {
    case packet(Bytes)
    /// A packet of `count` bytes, which exceeded the buffer and is lost.
    case tooLong(count: Int)
    case nothing
    case failed(Int32)
  }

  var descriptor: Int32

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

  private static func copy(_ room: UnsafeMutableRawBufferPointer, _ count: Int) -> Bytes {
    Bytes(
      [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
        if let from = room.baseAddress, let to = bytes.baseAddress { memcpy(to, from, count) }
        filled = count
      })
  }

  func send(_ packet: Bytes) -> SystemResult {
    packet.withUnsafeBytes { bytes in
      let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
      return systemCall { Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags) }
    }
  }

  /// Returns and clears the socket's pending error (SO_ERROR), or 0 if there is none.
  func pendingError() -> Int32 { (try? integerOption(SO_ERROR)) ?? 0 }

  /// Sets the size of the kernel's send buffer (SO_SNDBUF) in bytes, which the kernel doubles.
  func setSendBuffer(bytes: Int) throws(SystemCallError) {
    var value = Int32(clamping: bytes)
    let size = socklen_t(MemoryLayout<Int32>.size)
    try call("setsockopt SO_SNDBUF") {
      Int(setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &value, size))
    }
  }

  private func integerOption(_ option: Int32) throws(SystemCallError) -> Int32 {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    try call("getsockopt") { Int(getsockopt(descriptor, SOL_SOCKET, option, &value, &size)) }
    return value
  }
}
