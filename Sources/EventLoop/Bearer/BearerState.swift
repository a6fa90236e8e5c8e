internal import Bluetooth
internal import BluetoothCodec

/// The state of a ``SocketBearer``, protected by its lock.
struct BearerState: Sendable {
  /// The consumer of received PDUs and of the end.
  typealias Sink = @Sendable (Result<Bytes, BearerClosed>) -> Void
  /// A caller that is suspended until a value or the end.
  typealias Waiter<Value: Sendable> = CheckedContinuation<Result<Value, BearerClosed>, Never>

  /// A PDU that the kernel has not accepted yet, and what happens when it has.
  struct Outgoing: Sendable {
    /// The PDU.
    var pdu: Bytes
    /// The number of the caller's wait, 0 for a posted PDU.
    var id: Int
    /// The caller of `send`; `nil` once it stopped waiting.
    var waiter: Waiter<Void>?
    /// The callback of a posted PDU.
    var whenSent: (@Sendable () -> Void)?
  }

  /// An attempt to raise the link's security, and its result.
  struct SecurityRaise: Sendable {
    var level: SecurityLevel
    var task: Task<Result<Void, SecurityFailure>, Never>
  }

  /// The readiness of interest while PDUs are received.
  static let reading: Readiness = [.readable, .peerClosed]

  var socket: PacketSocket
  /// The registration with the loop; `nil` before it, and after the descriptor was closed.
  var watch: Watch?
  var interest = reading
  /// Whether the descriptor is open; false perhaps before the reason of the end is known.
  var isOpen = true
  /// The reason of the end, once it is known.
  var closed: BearerClosed?
  /// Whether PDUs are queued because security is being raised.
  var isHeld = false
  /// The latest attempt to raise security; `nil` while none runs.
  var raise: SecurityRaise?

  /// The received PDUs, like ``outbound`` few, so that removing the first one is cheap.
  var inbound: [Bytes] = []
  /// The pending ``SocketBearer/receive()``.
  var receiver: Waiter<Bytes>?
  /// The consumer instead of ``receiver``; `nil` again after the end was delivered.
  var sink: Sink?
  /// The PDUs that wait for room in the socket's buffer, in order.
  var outbound: [Outgoing] = []
  /// The callers that wait for the descriptor to become writable.
  var writers: [(id: Int, waiter: Waiter<Void>)] = []
  private var lastID = 0

  init(socket: PacketSocket) { self.socket = socket }

  /// A number that identifies one wait.
  mutating func newID() -> Int {
    lastID += 1
    return lastID
  }

  /// Removes the oldest received PDU.
  mutating func popInbound() -> Bytes? { inbound.isEmpty ? nil : inbound.removeFirst() }

  /// The readiness that the loop has to report in this state.
  var wantedInterest: Readiness {
    var wanted: Readiness = inbound.count < SocketBearer.inboundLimit ? Self.reading : []
    if !writers.isEmpty || (!outbound.isEmpty && !isHeld) { wanted.insert(.writable) }
    return wanted
  }
}
