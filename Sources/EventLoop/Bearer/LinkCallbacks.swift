public import Bluetooth
public import BluetoothCodec
internal import Glibc

/// The operations on the link below a ``SocketBearer``, which knows only its descriptor.
///
/// The kernel's radio and the virtual one supply them; each has a default.
///
/// ```swift
/// let hooks = LinkCallbacks(
///   security: { _ in .medium },
///   closeReason: { errno in errno == 0 ? .peer : .system(errno: errno, during: "receive") })
/// let bearer = try SocketBearer(descriptor: socket, loop: .shared, hooks: hooks)
/// ```
public struct LinkCallbacks: Sendable {
  /// Raises the link's security, and returns when that has succeeded or failed.
  ///
  /// While it runs no PDU is sent, because a Bluetooth socket refuses that (ENOTCONN) until pairing
  /// has ended; ``SocketBearer/writable()`` waits for that end.
  public var raiseSecurity:
    @Sendable (SocketBearer, SecurityLevel) async throws(SecurityFailure) -> Void
  /// The link's current security.
  public var security: @Sendable (SocketBearer) -> SecurityLevel
  /// Measures the link; values that cannot be measured are nil.
  public var measure: @Sendable (SocketBearer) async -> LinkQuality
  /// Requests connection parameters within a range, and returns those that the link got.
  public var retime:
    @Sendable (SocketBearer, TimingRange) async throws(TimingFailure) -> LEConnectionTiming
  /// The reason why the link ended, given the socket's errno (0 if the peer closed).
  public var closeReason: @Sendable (_ errno: Int32) async -> BearerClosed.Reason

  /// The operations of a link; each is optional.
  ///
  /// By default security stays `.low`, quality and timing are unknown, and the reason of the end
  /// follows from the socket's errno alone.
  ///
  /// - Parameters:
  ///   - raiseSecurity: see ``raiseSecurity``; by default `unsupported`.
  ///   - security: see ``security``.
  ///   - measure: see ``measure``.
  ///   - retime: see ``retime``; by default `unsupported`.
  ///   - closeReason: see ``closeReason``.
  public init(
    raiseSecurity:
      @escaping @Sendable (SocketBearer, SecurityLevel) async throws(SecurityFailure) -> Void =
      {
        (_, _) throws(SecurityFailure) in throw .unsupported
      },
    security: @escaping @Sendable (SocketBearer) -> SecurityLevel = { _ in .low },
    measure: @escaping @Sendable (SocketBearer) async -> LinkQuality = { _ in LinkQuality() },
    retime:
      @escaping @Sendable (SocketBearer, TimingRange) async throws(TimingFailure)
      -> LEConnectionTiming = { (_, _) throws(TimingFailure) in throw .unsupported },
    closeReason: @escaping @Sendable (_ errno: Int32) async -> BearerClosed.Reason = {
      BearerClosed.Reason(socketError: $0)
    }
  ) {
    self.raiseSecurity = raiseSecurity
    self.security = security
    self.measure = measure
    self.retime = retime
    self.closeReason = closeReason
  }
}

extension BearerClosed.Reason {
  /// The reason for a link's end by its socket's error, where the HCI reason is unknown.
  ///
  /// The kernel maps HCI reasons to errors (bt_to_errno):
  ///
  /// | HCI reason | errno | reason |
  /// | --- | --- | --- |
  /// | 0x08 | ETIMEDOUT | `supervisionTimeout` |
  /// | 0x13 to 0x15 | ECONNRESET | `peer` |
  /// | 0x16, adapter down | ECONNABORTED | `adapterGone` |
  ///
  /// Linux 6.12 gives a link that ends because the adapter is switched off the reason 0x15.
  public init(socketError: Int32) {
    self =
      switch socketError {
      case 0, ECONNRESET, EPIPE: .peer
      case ETIMEDOUT: .supervisionTimeout
      case ECONNABORTED, ENETDOWN, ENODEV, EHOSTDOWN: .adapterGone
      case ECONNREFUSED: .refused
      default: .system(errno: socketError, during: "receive")
      }
  }
}
