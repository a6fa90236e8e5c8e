public import BluetoothCodec

/// A connected channel that carries whole PDUs in order, of ATT unless ``channel`` differs.
///
/// The implementations use an L2CAP socket, bluetoothd, or a socket pair whose other end is a
/// virtual headphone. All members may be called from any isolation. A closed bearer stays closed,
/// and every call throws the same `BearerClosed`.
public protocol Bearer: Sendable {
  /// The kind of channel.
  var channel: LinkChannel { get }

  /// The bearer to send PDUs on: this one, or the one beneath if this one does not alter PDUs.
  var transport: any Bearer { get }

  /// The executor on which PDUs arrive, and on which the client's actor should run.
  var executor: any SerialExecutor { get }

  /// Sends one PDU of at most the channel's MTU, suspending while the local buffer is full.
  ///
  /// Cancelling the task only ends the wait: the PDU stays queued.
  nonisolated(nonsending) func send(_ pdu: Bytes) async throws(BearerClosed)

  /// Queues one PDU behind everything sent before, and returns whether it was sent at once.
  ///
  /// For PDUs whose number ATT limits: a request, a response, a confirmation. More than 64 queued
  /// PDUs close the bearer. PDUs stay queued while the link's security is being raised. A request
  /// must not time out meanwhile, so `whenSent` is called once, on any thread, when a queued PDU is
  /// sent.
  @discardableResult
  func post(
    _ pdu: Bytes, whenSent: @escaping @Sendable () -> Void
  ) throws(BearerClosed) -> Bool

  /// Returns the next PDU, or a part of the stream on a serial channel, to the only consumer.
  ///
  /// - Throws: the reason why the bearer is closed, after all earlier PDUs were received.
  nonisolated(nonsending) func receive() async throws(BearerClosed) -> Bytes

  /// Delivers each PDU to `sink` as it arrives, and finally the reason why the bearer is closed.
  ///
  /// PDUs that are already waiting come first. `sink` is called on ``executor``, in order, and must
  /// not block. Do not call ``receive()`` after this.
  func deliver(to sink: @escaping @Sendable (Result<Bytes, BearerClosed>) -> Void)

  /// Raises the link's security to at least `level`, by pairing or by encryption with a stored key.
  ///
  /// PDUs sent meanwhile stay queued until this ends.
  func raiseSecurity(to level: SecurityLevel) async throws(SecurityFailure)

  /// The current security of the link.
  var security: SecurityLevel { get async }

  /// Measures the link; members that are unsupported or need privileges are nil.
  func measure() async -> LinkQuality

  /// Requests connection parameters (Core 5.4, Vol 4, Part E, 7.8.18), and returns the new ones.
  func retime(to request: TimingRange) async throws(TimingFailure) -> LEConnectionTiming

  /// The services that another program, which holds the link, keeps for itself.
  ///
  /// Such a service is missing or read-only, which the first rejected write reveals.
  var withheldServices: Set<BluetoothUUID> { get }

  /// The reason why the bearer is closed, or nil while it is open.
  var closed: BearerClosed? { get }

  /// Closes the channel, so that every pending call throws `reason`; later calls have no effect.
  func close(_ reason: BearerClosed.Reason)
}

extension Bearer {
  /// This bearer.
  public var transport: any Bearer { self }

  /// Empty: no other program holds the link.
  public var withheldServices: Set<BluetoothUUID> { [] }

  /// Queues one PDU behind everything sent before, without waiting.
  public func post(_ pdu: Bytes) throws(BearerClosed) { try post(pdu, whenSent: {}) }
}

/// The protocol of a channel.
public enum LinkChannel: Hashable, Sendable {
  /// ATT on its fixed channel over LE.
  case attributes
  /// An L2CAP channel over BR/EDR, by its PSM (Core 5.4, Vol 3, Part A, 4.2).
  case classic(psm: UInt16)
  /// The RFCOMM channel of a service over BR/EDR: a byte stream whose pieces are not messages.
  ///
  /// `vendor` is the one in the Device ID record, for services that several makers use.
  case serial(BluetoothUUID, vendor: UInt16? = nil)
}

/// The protection of a link (Linux BT_SECURITY; Core 5.4, Vol 3, Part C, 10.2).
public enum SecurityLevel: UInt8, Comparable, Hashable, Sendable {
  case low = 1
  /// Encrypted with an unauthenticated key.
  case medium = 2
  /// Encrypted with an authenticated key.
  case high = 3
  /// Encrypted with an authenticated 128-bit LE Secure Connections key.
  case fips = 4

  public static func < (a: SecurityLevel, b: SecurityLevel) -> Bool { a.rawValue < b.rawValue }
}
