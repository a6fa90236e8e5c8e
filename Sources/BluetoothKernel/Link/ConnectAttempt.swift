internal import BluetoothCodec
internal import BluetoothRadio
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// A non-blocking attempt to connect ATT's fixed channel, or a BR/EDR channel of L2CAP or RFCOMM.
///
/// Closing the socket cancels the attempt in the controller; releasing this value closes the
/// socket.
struct ConnectAttempt: Sendable {
  private let socket: SocketDescriptor
  private let adapter: AdapterInfo
  private let begin: @Sendable (SocketDescriptor) -> SystemResult

  init(to peer: PeerAddress, through adapter: AdapterInfo) throws(RadioError) {
    // An adapter without a public address has the address zero, which is BDADDR_ANY.
    try self.init(
      to: sockaddr_l2(peer), from: sockaddr_l2(PeerAddress(adapter.address, .public)), adapter)
  }

  init(
    to address: BluetoothAddress, psm: UInt16, through adapter: AdapterInfo
  ) throws(RadioError) {
    try self.init(
      to: sockaddr_l2(classic: address, psm: psm), from: sockaddr_l2(classic: adapter.address),
      adapter)
  }

  init(
    to address: BluetoothAddress, serial channel: UInt8, through adapter: AdapterInfo
  ) throws(RadioError) {
    self.adapter = adapter
    let target = sockaddr_rc(address, channel)
    begin = { $0.connect(to: target) }
    socket = try SocketDescriptor(
      type: Int32(SOCK_STREAM.rawValue), protocol: BTPROTO_RFCOMM, during: "connect")
    try socket.bind(to: sockaddr_rc(adapter.address), during: "connect")
  }

  private init(
    to target: sockaddr_l2, from own: sockaddr_l2, _ adapter: AdapterInfo
  ) throws(RadioError) {
    self.adapter = adapter
    begin = { $0.connect(to: target) }
    socket = try SocketDescriptor(
      type: Int32(SOCK_SEQPACKET.rawValue), protocol: BTPROTO_L2CAP, during: "connect")
    try socket.bind(to: own, during: "connect")
  }

  /// Requires security for the connection, for which the kernel pairs if there are no keys.
  func protect(_ level: SecurityLevel) { LinkSecurity.set(level, on: socket.number) }

  /// Connects, and returns a descriptor that the caller has to close.
  func connect(
    within limit: Duration, loop: PollLoop, clock: any Clock<Duration>
  ) async throws(RadioError) -> Int32 {
    if limit > Self.kernelTimeout { makePatient(for: limit) }
    switch begin(socket) {
    case .done: break
    case .wouldBlock, .failed(EINPROGRESS):
      try await completion(within: limit, loop: loop, clock: clock)
    case .failed(let code): throw failure(code)
    }
    // The caller's descriptor is a duplicate, because this attempt closes its own.
    switch systemCall({ Int(fcntl(socket.number, F_DUPFD_CLOEXEC, 0)) }) {
    case .done(let descriptor): return Int32(truncatingIfNeeded: descriptor)
    case .failed(let code): throw .system(errno: code, during: "connect")
    case .wouldBlock: throw .system(errno: EAGAIN, during: "connect")
    }
  }

  private static let kernelTimeout: Duration = .seconds(40)

  /// Raises the kernel's timeout above the limit; if that fails, the attempt ends earlier.
  private func makePatient(for limit: Duration) {
    let seconds = Int(limit.components.seconds) + 1
    _ = socket.setOption(SOL_SOCKET, SO_SNDTIMEO, to: timeval(tv_sec: seconds, tv_usec: 0))
  }

  /// Waits for the result, which is in SO_ERROR: a failed socket becomes writable, too.
  private func completion(
    within limit: Duration, loop: PollLoop, clock: any Clock<Duration>
  ) async throws(RadioError) {
    let number = socket.number
    let isWritable = await within(limit, by: clock) {
      (try? await loop.writable(number)) != nil
    }
    if Task.isCancelled { throw .cancelled }
    guard let isWritable else { throw .timedOut }
    let code = socket.pendingError()
    guard code == 0 else { throw failure(code) }
    guard isWritable else { throw .cancelled }
  }

  private func failure(_ code: Int32) -> RadioError {
    switch code {
    case EHOSTUNREACH, ECONNABORTED, ENETDOWN, ENODEV:
      guard adapter.isUp else { return AdapterChoice().whyNot(adapter) }
      return code == EHOSTUNREACH ? .system(errno: code, during: "connect") : .timedOut
    default: return RadioError(connecting: code)
    }
  }
}
