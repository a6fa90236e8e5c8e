public import Bluetooth
public import BluetoothCodec
internal import Glibc

/// Operations on the link below a ``SocketBearer``, which knows only its descriptor.
///
/// The kernel's radio and the virtual one supply them; each has a default.
public struct LinkCallbacks: Sendable {
  /// Raises the link's security, and returns when that has succeeded or failed.
  ///
  /// While it runs nothing is sent, because a Bluetooth socket refuses that (ENOTCONN) until
  /// pairing ended; ``SocketBearer/writable()`` waits for that end.
  public var raiseSecurity:
    @Sendable (SocketBearer, SecurityLevel) async throws(SecurityFailure) -> Void
  /// The link's current level of security.
  public var security: @Sendable (SocketBearer) -> SecurityLevel
  /// Measures the link; values that cannot be measured are nil.
  public var measure: @Sendable (SocketBearer) async -> LinkQuality
  /// Changes the link's timing within a range, and returns the timing that the link got.
  public var retime:
    @Sendable (SocketBearer, TimingRange) async throws(TimingFailure) -> LEConnectionTiming
  /// The reason why the link ended, given the socket's errno (0: the peer closed).
  public var closeReason: @Sendable (_ errno: Int32) async -> BearerClosed.Reason

  /// The defaults stand for a link without such operations: security stays `.low`, quality and
  /// timing are unknown, and the reason of its end follows from the socket's errno alone.
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
  /// The reason for a link's end by the error of its socket, where the HCI reason is unknown.
  ///
  /// The kernel maps HCI reasons to these (bt_to_errno): 0x08 is ETIMEDOUT, 0x13 to 0x15
  /// ECONNRESET, 0x16 ECONNABORTED, which also an adapter that goes down gives.
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
