public import BluetoothCodec

/// A connected channel that carries whole PDUs in order; of ATT, unless ``channel`` says otherwise.
///
/// ```swift
/// func exchangeMTU(on bearer: any Bearer) async throws(BearerClosed) -> Bytes {
///   try await bearer.send([0x02, 0x05, 0x02])  // ATT_EXCHANGE_MTU_REQ, 517
///   return try await bearer.receive()          // ATT_EXCHANGE_MTU_RSP
/// }
/// ```
///
/// The conforming types use an L2CAP socket of the kernel, or a socket pair whose other end is a
/// virtual headphone; a client cannot distinguish them. All members may be called from any
/// isolation; a client that runs on ``executor`` needs no thread hop.
///
/// PDUs leave in the order of the calls and arrive in the order of the link. Once closed, a bearer
/// stays closed, and every call throws the same ``BearerClosed``.
public protocol Bearer: Sendable {
  /// The kind of channel.
  var channel: LinkChannel { get }

  /// The bearer that sees the PDUs: this one, or the one beneath it where this one changes nothing
  /// about them.
  var transport: any Bearer { get }

  /// The executor on which PDUs arrive; the client's actor runs there, too.
  var executor: any SerialExecutor { get }

  /// Sends one PDU; suspends while the local buffer is full.
  ///
  /// Cancelling the task only ends the wait: the PDU stays queued.
  ///
  /// - Parameter pdu: one PDU, at most as long as the channel's MTU.
  /// - Throws: the reason why the bearer is closed.
  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed)

  /// Queues one PDU without waiting, behind everything that was sent before.
  ///
  /// For PDUs whose number ATT itself limits: a request, a response, a confirmation. More than 64
  /// queued PDUs close the bearer. While security is raised PDUs stay queued: the time-out of a
  /// request must not run then, so the caller is notified when a queued PDU is sent.
  ///
  /// - Parameters:
  ///   - pdu: one PDU, at most as long as the channel's MTU.
  ///   - whenSent: called once, on any thread, when a PDU that was queued is sent; never if it is
  ///     sent at once or the bearer closes before.
  /// - Returns: whether the PDU was sent; false if it is queued.
  /// - Throws: the reason why the bearer is closed.
  @discardableResult
  func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool

  /// The next PDU from the peer; for one consumer.
  ///
  /// - Returns: one PDU, or a part of the stream on a serial channel.
  /// - Throws: the reason why the bearer is closed, after everything that arrived before was
  ///   received.
  nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes

  /// Delivers each PDU to `sink` as it arrives, and finally the reason why the bearer is closed.
  ///
  /// PDUs that already wait are delivered first. ``receive()`` must not be used after this.
  ///
  /// - Parameter sink: called on ``executor``, in order; must not block.
  func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void)

  /// Raises the link's security, by pairing or by encryption with a stored key.
  ///
  /// PDUs that are sent meanwhile are queued until it has ended. A link that has the level already
  /// is left as it is.
  ///
  /// - Parameter level: the lowest sufficient level.
  /// - Throws: the reason why the link is not protected at this level.
  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure)

  /// The current security of the link.
  var security: SecurityLevel { get async }

  /// Measures the link; `nil` members are not supported, or not revealed without privileges.
  func measure() async -> LinkQuality

  /// Requests other connection parameters (LE Connection Update; Core 5.4, Vol 4, Part E, 7.8.18).
  ///
  /// - Parameter request: the acceptable parameters, of which the controller chooses.
  /// - Returns: the parameters that the link has then.
  /// - Throws: the reason why they were not changed.
  func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming

  /// The services of the peer that the program which holds the link keeps for itself.
  ///
  /// They are missing, or can only be read, which the first refused write shows. Empty where no other program holds the
  /// link.
  var withheldServices: Set<BluetoothUUID> { get }

  /// The reason why the bearer is closed; `nil` while it is open.
  var closed: BearerClosed? { get }

  /// Closes the channel; every pending call throws `reason`.
  ///
  /// Only the first call counts.
  func close(_ reason: BearerClosed.Reason)
}

extension Bearer {
  /// Itself: what a bearer does concerns the PDUs, unless it says otherwise.
  public var transport: any Bearer { self }

  /// None: nobody else holds the link.
  public var withheldServices: Set<BluetoothUUID> { [] }

  /// Hands over one PDU without waiting, behind all that was sent before.
  ///
  /// - Throws: the reason why the bearer is closed.
  /// - Parameter pdu: one PDU, at most as long as the channel's MTU.
  public func post(_ pdu: Bytes) throws(BearerClosed) { try post(pdu, whenSent: {}) }
}

/// The protocol of a channel.
public enum LinkChannel: Hashable, Sendable {
  /// ATT, on its fixed channel over LE.
  case attributes
  /// An L2CAP channel over BR/EDR, by its PSM (Core 5.4, Vol 3, Part A, 4.2).
  case classic(psm: UInt16)
  /// The RFCOMM channel of a service over BR/EDR: a byte stream, whose pieces are not messages.
  ///
  /// `vendor` is the company of the device's Device ID record, if the service is not one maker's.
  case serial(BluetoothUUID, vendor: UInt16? = nil)
}

/// The protection of a link (Linux BT_SECURITY; Core 5.4, Vol 3, Part C, 10.2).
public enum SecurityLevel: UInt8, Comparable, Hashable, Sendable {
  /// No encryption.
  case low = 1
  /// Encrypted with an unauthenticated key.
  case medium = 2
  /// Encrypted with an authenticated key.
  case high = 3
  /// Encrypted with an authenticated 128-bit LE Secure Connections key.
  case fips = 4

  public static func < (a: SecurityLevel, b: SecurityLevel) -> Bool { a.rawValue < b.rawValue }
}

/// The reason why a bearer is closed.
///
/// All pending and later calls of a bearer throw the same one.
public struct BearerClosed: Error, Hashable, Sendable {
  /// The reasons of docs/protocol.md section 8, and those of this side.
  public enum Reason: Hashable, Sendable {
    /// The user or the program asked for it.
    case user
    /// The peer ended the link (HCI 0x13, 0x14, 0x15).
    case peer
    /// The link's supervision time-out (HCI 0x08).
    case supervisionTimeout
    /// This host ended the link (HCI 0x16).
    case localHost
    /// The adapter was switched off or removed.
    case adapterGone
    /// The peer restarts into new firmware.
    case firmwareRestart
    /// The message integrity check failed (HCI 0x3D): keys differ.
    case micFailure
    /// No connection within the time-out.
    case connectTimeout
    /// The peer or the kernel refused the connection.
    case refused
    /// No answer to an ATT request within 30 s (Core 5.4, Vol 3, Part F, 3.3.3).
    case requestTimeout
    /// The peer broke the protocol.
    case protocolViolation(String)
    /// Another system error, with the kernel's `errno`.
    case system(errno: Int32, during: String)
  }

  /// The reason.
  public var reason: Reason

  public init(_ reason: Reason) { self.reason = reason }
}

/// The reason why security was not raised.
public enum SecurityFailure: Error, Hashable, Sendable {
  /// The peer refused to pair, or pairing failed.
  case refused
  /// The user declined.
  case declined
  /// The user did not answer in time, or there is no user to prompt.
  case unanswered
  /// Pairing did not complete in time.
  case timedOut
  /// bluetoothd decides about pairings on this machine, and has no agent to ask.
  case noAgent
  /// The kernel accepts the answers of a pairing only with this capability.
  case notPermitted(capability: String)
  /// The peer has lost or changed its keys, so that it must be removed and paired again.
  case keyMissing
  /// This bearer cannot do it.
  case unsupported
  /// The bearer was closed meanwhile, or before.
  case closed(BearerClosed)
  /// bluetoothd runs, and does not answer.
  case bluetoothdUnresponsive
  /// Another error of bluetoothd, with its message.
  case bluetoothd(String)
}
