internal import BluetoothCodec
internal import BluetoothRadio

struct BearerState: Sendable {
  typealias Sink = @Sendable (Result<Bytes, BearerClosed>) -> Void
  typealias Waiter<Value: Sendable> = CheckedContinuation<Result<Value, BearerClosed>, Never>

  struct Outgoing: Sendable {
    var pdu: Bytes
    var id: Int
    var waiter: Waiter<Void>?
    var whenSent: (@Sendable () -> Void)?
  }

  struct SecurityRaise: Sendable {
    var level: SecurityLevel
    var task: Task<Result<Void, SecurityFailure>, Never>
  }

  /// The interest while reading is not paused.
  static let reading: Readiness = [.readable, .peerClosed]

  var socket: PacketSocket
  var watch: Watch?
  var interest = reading
  /// Whether the descriptor is open; it may be closed before the reason of the end is known.
  var isOpen = true
  var closed: BearerClosed?
  var isHeld = false
  var raise: SecurityRaise?

  var inbound: [Bytes] = []
  var receiver: Waiter<Bytes>?
  /// The consumer that replaces ``receiver``, or nil again after the end was delivered.
  var sink: Sink?
  var outbound: [Outgoing] = []
  var writers: [(id: Int, waiter: Waiter<Void>)] = []
  private var lastID = 0

  init(socket: PacketSocket) { self.socket = socket }

  mutating func newID() -> Int {
    lastID += 1
    return lastID
  }

  mutating func popInbound() -> Bytes? { inbound.isEmpty ? nil : inbound.removeFirst() }

  var wantedInterest: Readiness {
    var wanted: Readiness = inbound.count < SocketBearer.inboundLimit ? Self.reading : []
    if !writers.isEmpty || (!outbound.isEmpty && !isHeld) { wanted.insert(.writable) }
    return wanted
  }
}
