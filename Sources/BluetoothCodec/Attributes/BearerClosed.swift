/// The reason why a bearer is closed, thrown by all its pending and later calls.
public struct BearerClosed: Error, Hashable, Sendable {
  /// The reasons in docs/protocol.md section 8, and those of this side.
  public enum Reason: Hashable, Sendable {
    case user
    /// The peer ended the link (HCI 0x13, 0x14, 0x15).
    case peer
    /// The link's supervision timeout (HCI 0x08).
    case supervisionTimeout
    /// This host ended the link (HCI 0x16).
    case localHost
    case adapterGone
    /// bluetoothd, which held the link, exited.
    case bluetoothdGone
    case firmwareRestart
    /// The message integrity check failed (HCI 0x3D), as the two sides have different keys.
    case micFailure
    case connectTimeout
    case refused
    /// The peer did not respond to an ATT request within 30 s (Core 5.4, Vol 3, Part F, 3.3.3).
    case requestTimeout
    /// The peer violated the protocol.
    case protocolViolation(String)
    /// Another system error, with the kernel's `errno`.
    case system(errno: Int32, during: String)
  }

  public var reason: Reason

  public init(_ reason: Reason) { self.reason = reason }
}
