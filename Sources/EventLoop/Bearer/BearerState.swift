internal import Bluetooth
internal import BluetoothCodec

/// What a ``SocketBearer`` keeps under its lock.
struct BearerState: Sendable {
  typealias Sink = @Sendable (Result<Bytes, BearerClosed>) -> Void
  typealias Waiter<Value: Sendable> = CheckedContinuation<Result<Value, BearerClosed>, Never>

  /// A PDU that the kernel did not take yet, and what to do when it has.
  struct Outgoing: Sendable {
    var pdu: Bytes
    var id: Int
    /// The caller of `send`.
    var waiter: Waiter<Void>?
    /// Of a PDU that was posted.
    var whenSent: (@Sendable () -> Void)?
  }

  /// Security that is being raised, and what comes of it.
  struct SecurityRaise: Sendable {
    var level: SecurityLevel
    var task: Task<Result<Void, SecurityFailure>, Never>
  }

  static let reading: Readiness = [.readable, .peerClosed]

  var socket: PacketSocket
  /// Nil before the loop knows the descriptor and after it was closed.
  var watch: Watch?
  var interest = reading
  /// False as soon as the descriptor is closed, perhaps before the reason is known.
  var isOpen = true
  var closed: BearerClosed?
  /// Whether sending waits for security to be raised.
  var isHeld = false
  /// The last that was begun and has not ended; nil: none runs.
  var raise: SecurityRaise?

  /// Both short, so that taking the first one out costs next to nothing.
  var inbound: [Bytes] = []
  var receiver: Waiter<Bytes>?
  /// Takes everything in place of a receiver; nil again after it was told the end.
  var sink: Sink?
  var outbound: [Outgoing] = []
  var writers: [(id: Int, waiter: Waiter<Void>)] = []
  private var lastID = 0

  init(socket: PacketSocket) { self.socket = socket }

  mutating func newID() -> Int {
    lastID += 1
    return lastID
  }

  mutating func takeInbound() -> Bytes? { inbound.isEmpty ? nil : inbound.removeFirst() }

  /// What the loop should look for now.
  var wantedInterest: Readiness {
    var wanted: Readiness = inbound.count < SocketBearer.inboundLimit ? Self.reading : []
    if !writers.isEmpty || (!outbound.isEmpty && !isHeld) { wanted.insert(.writable) }
    return wanted
  }
}
