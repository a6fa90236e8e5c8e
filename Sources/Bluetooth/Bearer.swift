public import BluetoothCodec

/// A connected channel that carries whole PDUs in order; of ATT, unless ``channel`` says otherwise.
///
/// ```swift
/// func askForMTU(on bearer: any Bearer) async throws(BearerClosed) -> Bytes {
///   try await bearer.send([0x02, 0x05, 0x02])
///   return try await bearer.receive()
/// }
/// ```
///
/// The conformers stand on an L2CAP socket of the kernel, or on a socket pair whose other end is a
/// virtual headphone; a client cannot distinguish them. All members may be called from any
/// isolation; a client that runs on `executor` pays no thread hop.
public protocol Bearer: Sendable {
  /// The kind of channel.
  var channel: LinkChannel { get }

  /// The executor on which PDUs arrive; the client's actor runs there, too.
  var executor: any SerialExecutor { get }

  /// Sends one PDU; suspends while the local buffer is full.
  ///
  /// Cancelling the task ends the wait only: the PDU stays queued.
  ///
  /// - Throws: the reason why the bearer is closed.
  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed)

  /// Hands over one PDU without waiting, behind all that was sent before.
  ///
  /// For what ATT itself limits: a request, a response, a confirmation. Exceeding the limit of 64
  /// queued PDUs closes the bearer. PDUs stay queued while security is raised: a request's time
  /// must not run then, so the caller is notified when a queued PDU is sent.
  ///
  /// - Parameter whenSent: called once, on any thread, when a PDU that was queued is sent; never if
  ///   it is sent at once or the bearer closes before.
  /// - Returns: whether the PDU is sent; false: it is queued.
  /// - Throws: the reason why the bearer is closed.
  @discardableResult
  func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool

  /// The next PDU from the peer; a single consumer.
  ///
  /// - Throws: the reason why the bearer is closed, after all that came before is taken.
  nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes

  /// Hands each PDU to `sink` as it arrives, those that wait first, and at last the reason why the
  /// bearer is closed.
  ///
  /// `sink` is called on `executor`, in order. ``receive()`` must not be used after this.
  func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void)

  /// Raises the link's security, by pairing or by encryption with a stored key.
  ///
  /// PDUs that are sent meanwhile are queued until it has ended.
  ///
  /// - Throws: why the link is not protected at this level.
  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure)

  /// The present security of the link.
  var security: SecurityLevel { get async }

  /// Measures the link; what the kernel does not reveal without privileges, or the controller does
  /// not support, is nil.
  func measure() async -> LinkQuality

  /// Asks for other connection parameters.
  ///
  /// - Returns: the parameters that the link has then.
  /// - Throws: why they were not changed.
  func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming

  /// Why the bearer is closed; nil while it is open.
  var closed: BearerClosed? { get }

  /// Closes the channel; every pending call throws `reason`. Only the first close counts.
  func close(_ reason: BearerClosed.Reason)
}

extension Bearer {
  /// Hands over one PDU without waiting, behind all that was sent before.
  ///
  /// - Throws: the reason why the bearer is closed.
  public func post(_ pdu: Bytes) throws(BearerClosed) { try post(pdu, whenSent: {}) }
}

/// The protocol of a channel.
public enum LinkChannel: Hashable, Sendable {
  /// ATT, on its fixed channel over LE.
  case attributes
  /// A channel of BR/EDR, by its PSM (Core 5.4, Vol 3, Part A, 4.2).
  case classic(psm: UInt16)
  /// The RFCOMM channel of a service over BR/EDR: a byte stream, whose pieces are no messages; the
  /// company of the device's Device ID record, where the service is not one maker's.
  case serial(BluetoothUUID, vendor: UInt16? = nil)
}

/// How a link is protected (Linux BT_SECURITY; Core 5.4, Vol 3, Part C, 10.2).
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

/// Why a bearer is closed.
///
/// Every waiter of a bearer gets the same one.
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
    /// Another system error; `errno` as the kernel gave it.
    case system(errno: Int32, during: String)
  }

  public var reason: Reason

  public init(_ reason: Reason) { self.reason = reason }
}

/// Why security could not be raised.
public enum SecurityFailure: Error, Hashable, Sendable {
  /// The peer refused to pair, or pairing failed.
  case refused
  /// The user declined.
  case declined
  /// The user did not answer in time, or there is no user to prompt.
  case unanswered
  /// bluetoothd decides about pairings on this machine, and has no agent to ask.
  case noAgent
  /// The kernel accepts the answers of a pairing only with this capability.
  case notPermitted(capability: String)
  /// The peer has lost or changed its keys.
  case keyMissing
  /// This bearer cannot do it.
  case unsupported
  /// The bearer was closed meanwhile, or before.
  case closed(BearerClosed)
  /// Another error of bluetoothd, in its words.
  case bluetoothd(String)
}
