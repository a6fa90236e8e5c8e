public import BluetoothCodec
public import BluetoothRadio
internal import Glibc

/// The operations on the link below a ``SocketBearer``, which knows only its descriptor.
public struct LinkCallbacks: Sendable {
  /// Raises the link's security, and returns when that has succeeded or failed.
  ///
  /// No PDU is sent meanwhile, because a Bluetooth socket rejects PDUs (ENOTCONN) until pairing
  /// ends.
  public var raiseSecurity:
    @Sendable (SocketBearer, SecurityLevel) async throws(SecurityFailure) -> Void
  /// Returns the link's current security.
  public var security: @Sendable (SocketBearer) -> SecurityLevel
  /// Measures the link; values that cannot be measured are nil.
  public var measure: @Sendable (SocketBearer) async -> LinkQuality
  /// Requests connection parameters within a range, and returns the link's new ones.
  public var retime:
    @Sendable (SocketBearer, TimingRange) async throws(TimingFailure) -> LEConnectionTiming
  /// Returns the reason why the link ended, given the socket's errno (0 if the peer closed).
  public var closeReason: @Sendable (_ errno: Int32) async -> BearerClosed.Reason

  /// Creates the operations of a link.
  ///
  /// By default, security stays `.low`, raising it and changing parameters throw `unsupported`,
  /// nothing is measured, and the reason of the end is derived from the socket's errno alone.
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
  /// Creates the reason for a link's end from the socket's error, for an unknown HCI reason.
  ///
  /// The kernel maps HCI reasons to errors (bt_to_errno):
  ///
  /// | HCI reason | errno | reason |
  /// | --- | --- | --- |
  /// | 0x08 | ETIMEDOUT | `supervisionTimeout` |
  /// | 0x13 to 0x15 | ECONNRESET | `peer` |
  /// | 0x16, adapter down | ECONNABORTED | `adapterGone` |
  ///
  /// Linux 6.12 uses reason 0x15 for a link that ends because the adapter is switched off.
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
