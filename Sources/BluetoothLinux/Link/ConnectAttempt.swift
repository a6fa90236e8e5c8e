internal import Bluetooth
internal import BluetoothCodec
internal import CBluetooth
internal import EventLoop
internal import Glibc

/// A non-blocking connection of a channel to a headphone: of ATT's fixed one, or of BR/EDR, there
/// also by RFCOMM.
///
/// The kernel looks for the headphone first; giving up is closing the socket, which ends that for
/// real. Letting go of the attempt does it.
struct ConnectAttempt: Sendable {
  private let socket: SocketDescriptor
  private let adapter: AdapterInfo
  /// Begins to connect; the address of the target is of its protocol.
  private let begin: @Sendable (SocketDescriptor) -> SystemResult

  init(to peer: PeerAddress, through adapter: AdapterInfo) throws(RadioError) {
    // An adapter without a public address is reached through the any-address.
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
    to address: BluetoothAddress, serial channel: SerialChannel, through adapter: AdapterInfo
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

  /// Lets the kernel connect only with keys, which it makes where there are none.
  func protect(_ level: SecurityLevel) { LinkSecurity.set(level, on: socket.number) }

  /// Connects.
  ///
  /// - Returns: a descriptor of its own, for the caller to close.
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
    // The bearer owns its descriptor; this one closes with the attempt.
    switch systemCall({ Int(fcntl(socket.number, F_DUPFD_CLOEXEC, 0)) }) {
    case .done(let descriptor): return Int32(truncatingIfNeeded: descriptor)
    case .failed(let code): throw .system(errno: code, during: "connect")
    case .wouldBlock: throw .system(errno: EAGAIN, during: "connect")
    }
  }

  /// The kernel's default connection timeout (L2CAP_CONN_TIMEOUT).
  private static let kernelTimeout: Duration = .seconds(40)

  /// Has the kernel wait at least as long as this program; where it does not, it ends earlier.
  private func makePatient(for limit: Duration) {
    let seconds = Int(limit.components.seconds) + 1
    _ = socket.setOption(SOL_SOCKET, SO_SNDTIMEO, to: timeval(tv_sec: seconds, tv_usec: 0))
  }

  /// Completion of a connection: a writable socket is not enough, SO_ERROR decides.
  private func completion(
    within limit: Duration, loop: PollLoop, clock: any Clock<Duration>
  ) async throws(RadioError) {
    let number = socket.number
    let isWritable = await within(limit, by: clock) {
      (try? await loop.writable(number)) != nil
    }
    if Task.isCancelled { throw .cancelled }
    guard let isWritable else { throw .timedOut }
    let code = socket.takeError()
    guard code == 0 else { throw failure(code) }
    guard isWritable else { throw .cancelled }
  }

  /// No way to the headphone, or a link that this side ended: the adapter went away meanwhile.
  private func failure(_ code: Int32) -> RadioError {
    switch code {
    case EHOSTUNREACH, ECONNABORTED, ENETDOWN, ENODEV:
      guard adapter.isUp else { return AdapterChoice().whyNot(adapter) }
      return code == EHOSTUNREACH ? .system(errno: code, during: "connect") : .timedOut
    default: return RadioError(connecting: code)
    }
  }
}
