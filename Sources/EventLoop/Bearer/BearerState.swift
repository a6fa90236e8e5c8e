internal import Bluetooth
internal import BluetoothCodec

/// The state of a ``SocketBearer``, kept under its lock.
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

  /// A raise of the link's security that runs, and its result.
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
  /// Whether sending is held back while security is raised.
  var isHeld = false
  /// The raise that was begun last; nil when none runs.
  var raise: SecurityRaise?

  /// PDUs that were received; like ``outbound`` short, so that removing the first is cheap.
  var inbound: [Bytes] = []
  var receiver: Waiter<Bytes>?
  /// Receives everything in place of ``receiver``; nil again after the end was delivered.
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

  /// The readiness that the loop should report in this state.
  var wantedInterest: Readiness {
    var wanted: Readiness = inbound.count < SocketBearer.inboundLimit ? Self.reading : []
    if !writers.isEmpty || (!outbound.isEmpty && !isHeld) { wanted.insert(.writable) }
    return wanted
  }
}
