internal import BluetoothCodec
internal import Glibc

/// A non-blocking SOCK_SEQPACKET descriptor: one call, one packet.
struct PacketSocket: Sendable {
  /// More than any ATT_MTU that Earshot agrees to, so that a longer packet is noticed, not cut.
  static let roomForPacket = 1024

  enum Received {
    case packet(Bytes)
    /// A packet of `count` bytes, which is more than there is room for.
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

  /// The pending error of the socket (SO_ERROR), 0 if there is none; reading clears it.
  func takeError() -> Int32 { (try? integerOption(SO_ERROR)) ?? 0 }

  /// Sets the bytes that the kernel buffers for sending (SO_SNDBUF).
  ///
  /// - Throws: the error of `setsockopt`.
  func setSendBuffer(bytes: Int) throws(SystemCallError) {
    var value = Int32(clamping: bytes)
    let size = socklen_t(MemoryLayout<Int32>.size)
    try call("setsockopt SO_SNDBUF") {
      Int(setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &value, size))
    }
  }

  /// Free bytes of the send buffer.
  ///
  /// TIOCOUTQ returns the free space on a Bluetooth socket, but the used space on a local one.
  ///
  /// - Throws: the error of `ioctl`.
  func freeSendSpace() throws(SystemCallError) -> Int {
    var amount: Int32 = 0
    try call("ioctl TIOCOUTQ") { Int(ioctl(descriptor, UInt(TIOCOUTQ), &amount)) }
    guard try integerOption(SO_DOMAIN) == AF_UNIX else { return Int(amount) }
    return max(0, Int(try integerOption(SO_SNDBUF)) - Int(amount))
  }

  private func integerOption(_ option: Int32) throws(SystemCallError) -> Int32 {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    try call("getsockopt") { Int(getsockopt(descriptor, SOL_SOCKET, option, &value, &size)) }
    return value
  }
}
