internal import Glibc

extension SocketBearer {
  /// Returns two connected bearers, each of which receives what the other sends.
  public static func pair(
    loop: PollLoop, hooks: LinkCallbacks = LinkCallbacks()
  ) throws(SystemCallError) -> (SocketBearer, SocketBearer) {
    let (first, second) = try packetPair()
    let bearer = try SocketBearer(descriptor: first, loop: loop, hooks: hooks)
    return (bearer, try SocketBearer(descriptor: second, loop: loop, hooks: hooks))
  }

  /// Returns two connected, non-blocking SOCK_SEQPACKET descriptors, which the caller owns.
  public static func packetPair() throws(SystemCallError) -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try call("socketpair") { Int(socketpair(AF_UNIX, kind, 0, &ends)) }
    return (ends[0], ends[1])
  }
}
