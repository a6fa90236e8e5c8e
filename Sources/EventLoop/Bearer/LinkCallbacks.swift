public import Bluetooth
public import BluetoothCodec
internal import Glibc

/// What a ``SocketBearer`` cannot know of its descriptor: the link below it.
///
/// The kernel's radio and the virtual one supply them; each has a default.
public struct LinkCallbacks: Sendable {
  /// Raises the link's security and returns when that has ended.
  ///
  /// While it runs nothing is sent, because a Bluetooth socket refuses that (ENOTCONN) until
  /// pairing ended; ``SocketBearer/writable()`` waits for that end.
  public var raiseSecurity:
    @Sendable (SocketBearer, SecurityLevel) async throws(SecurityFailure) -> Void
  /// The level that the link has now.
  public var security: @Sendable (SocketBearer) -> SecurityLevel
  /// How good the link is now; an empty ``/GATT/LinkQuality`` where nothing tells.
  public var measure: @Sendable (SocketBearer) async -> LinkQuality
  /// Asks for another timing and returns the one that the link got.
  public var retime:
    @Sendable (SocketBearer, TimingRange) async throws(TimingFailure) -> LEConnectionTiming
  /// Why the link ended, given the socket's errno (0: the peer closed).
  public var closeReason: @Sendable (_ errno: Int32) async -> BearerClosed.Reason

  /// What is not given says that it cannot: security stays `.low` and cannot be raised, the link's
  /// quality and timing are unknown, and its end is told from the socket's errno alone.
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
  /// What a socket's error says about a link's end, where nothing tells the HCI reason.
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
