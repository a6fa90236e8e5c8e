public import BluetoothCodec

/// The host's side of the command channel, without I/O or clock (docs/protocol.md section 5).
///
/// At most ``window`` commands are outstanding, and the others wait in order. The response to a
/// command has its command byte and sequence number (1 to 255). Without one, the same packets are
/// sent again after 2 s, three times in all, and then the command fails. All times count from the
/// same moment.
///
/// ```swift
/// var engine = CommandEngine()
/// let (ticket, effects) = engine.submit(.ping, payload: [1, 2, 3], at: .zero)
/// // effects == [.send(ticket, [packet], attempt: 1)]
/// let answer = HeadphonePacket(
///   command: .ping, sequence: 1, flags: .response, payload: [0, 1, 2, 3])
/// let ended = engine.receive(answer, at: .milliseconds(40))
/// // ended == [.finished(ticket, .success([1, 2, 3]))]
/// ```
public struct CommandEngine: Sendable {
  /// The identity of a command from its submission to its end.
  public struct Ticket: Hashable, Sendable {
    let number: UInt64
  }

  /// An action for the caller, in order.
  public enum Effect: Hashable, Sendable {
    /// Send these packets in order; `attempt` is 1 to 3.
    case send(Ticket, [HeadphonePacket], attempt: Int)
    /// A command has ended, with the response's data after its status or an error.
    case finished(Ticket, Result<Bytes, HeadphoneError>)
    /// A packet that answers no outstanding command: late, a duplicate, or another host's.
    case ignored(HeadphonePacket)
    /// A response that could not be decoded; its command is sent again.
    case malformed(MalformedBytes, HeadphonePacket)
  }

  /// The time without a response after which the packets are sent again.
  public static let timeout: Duration = .seconds(2)
  /// The number of attempts after which a command fails.
  public static let attempts = 3

  struct Waiting {
    var ticket: Ticket
    var command: CommandID
    var payload: Bytes
  }

  struct Outstanding {
    var ticket: Ticket
    var command: CommandID
    var sequence: UInt8
    var packets: [HeadphonePacket]
    var attempt: Int
    var deadline: Duration
    var joiner = FragmentJoiner()
    /// Whether the caller was cancelled; the sequence stays in use until the response or time-out.
    var isCancelled = false
  }

  /// The maximum number of outstanding commands; a change applies to the next command.
  public private(set) var window = 1

  /// The limit of the window, far below the number of sequences.
  private static let widestWindow = 16

  private var waiting: [Waiting] = []
  private(set) var outstanding: [Outstanding] = []
  private var lastSequence: UInt8 = 0
  private var lastTicket: UInt64 = 0

  /// Creates an engine without commands, with a window clamped to 1...16.
  public init(window: Int = 1) { setWindow(window) }

  /// Changes the window, clamped to 1...16.
  public mutating func setWindow(_ window: Int) {
    self.window = min(max(1, window), Self.widestWindow)
  }

  /// The time at which to call ``elapse(to:)``, or nil while no response is awaited.
  public var nextDeadline: Duration? { outstanding.map(\.deadline).min() }

  public var isAwaitingResponse: Bool { !outstanding.isEmpty }

  /// Submits a command with a payload of any length, which is sent once the window has room.
  public mutating func submit(
    _ command: CommandID, payload: Bytes = [], at now: Duration
  ) -> (ticket: Ticket, effects: [Effect]) {
    lastTicket += 1
    let ticket = Ticket(number: lastTicket)
    waiting.append(Waiting(ticket: ticket, command: command, payload: payload))
    return (ticket, fillWindow(at: now))
  }

  /// Handles a packet from the headphone.
  public mutating func receive(_ packet: HeadphonePacket, at now: Duration) -> [Effect] {
    guard packet.version == HeadphonePacket.currentVersion, packet.flags.contains(.response),
      let index = outstanding.firstIndex(where: {
        $0.command == packet.command && $0.sequence == packet.sequence
      })
    else { return [.ignored(packet)] }
    do {
      guard let whole = try outstanding[index].joiner.receive(packet) else {
        // The response is still arriving; the time-out applies only to silence.
        outstanding[index].deadline = now + Self.timeout
        return []
      }
      let result = try Self.result(of: whole.payload, whole.flags)
      return end(index, with: result) + fillWindow(at: now)
    } catch {
      return [.malformed(error, packet)]
    }
  }

  /// Sends overdue commands again, or fails them after the last attempt.
  public mutating func elapse(to now: Duration) -> [Effect] {
    var effects: [Effect] = []
    for command in outstanding where command.deadline <= now {
      // The original order is kept, so that the last value wins even if first attempts were lost.
      guard let index = outstanding.firstIndex(where: { $0.ticket == command.ticket }) else {
        continue
      }
      guard !command.isCancelled, command.attempt < Self.attempts else {
        effects += end(index, with: .failure(.noResponse))
        continue
      }
      outstanding[index].attempt += 1
      outstanding[index].deadline = now + Self.timeout
      // The response to a repeated packet starts from the beginning.
      outstanding[index].joiner = FragmentJoiner()
      let repeated = outstanding[index]
      effects.append(.send(repeated.ticket, repeated.packets, attempt: repeated.attempt))
    }
    return effects + fillWindow(at: now)
  }

  /// Sends the outstanding commands as if for the first time, for example on a new link.
  public mutating func startOver(at now: Duration) -> [Effect] {
    for index in outstanding.indices {
      outstanding[index].attempt = 1
      outstanding[index].deadline = now + Self.timeout
      outstanding[index].joiner = FragmentJoiner()
    }
    return outstanding.filter { !$0.isCancelled }
      .map { .send($0.ticket, $0.packets, attempt: $0.attempt) }
  }

  /// Ends a command whose caller was cancelled: it is not sent again, and its response is ignored.
  public mutating func cancel(_ ticket: Ticket) -> [Effect] {
    if let index = waiting.firstIndex(where: { $0.ticket == ticket }) {
      waiting.remove(at: index)
      return [.finished(ticket, .failure(.cancelled))]
    }
    guard
      let index = outstanding.firstIndex(where: { $0.ticket == ticket && !$0.isCancelled })
    else { return [] }
    outstanding[index].isCancelled = true
    return [.finished(ticket, .failure(.cancelled))]
  }

  /// Ends a command that could not be sent.
  public mutating func fail(
    _ ticket: Ticket, _ error: HeadphoneError, at now: Duration
  ) -> [Effect] {
    guard let index = outstanding.firstIndex(where: { $0.ticket == ticket }) else { return [] }
    return end(index, with: .failure(error)) + fillWindow(at: now)
  }

  /// Ends all commands with the same error, for example when the link has ended.
  public mutating func fail(_ error: HeadphoneError) -> [Effect] {
    let tickets = outstanding.filter { !$0.isCancelled }.map(\.ticket) + waiting.map(\.ticket)
    outstanding = []
    waiting = []
    return tickets.map { .finished($0, .failure(error)) }
  }

  private mutating func end(
    _ index: Int, with result: Result<Bytes, HeadphoneError>
  ) -> [Effect] {
    let ended = outstanding.remove(at: index)
    return ended.isCancelled ? [] : [.finished(ended.ticket, result)]
  }

  private mutating func fillWindow(at now: Duration) -> [Effect] {
    var effects: [Effect] = []
    while outstanding.count < window, !waiting.isEmpty {
      let next = waiting.removeFirst()
      let sequence = nextSequence()
      let packets = HeadphonePacket.fragments(
        next.command, sequence: sequence, payload: next.payload)
      outstanding.append(
        Outstanding(
          ticket: next.ticket, command: next.command, sequence: sequence, packets: packets,
          attempt: 1, deadline: now + Self.timeout))
      effects.append(.send(next.ticket, packets, attempt: 1))
    }
    return effects
  }

  private mutating func nextSequence() -> UInt8 {
    repeat {
      lastSequence = lastSequence == UInt8.max ? 1 : lastSequence + 1
    } while outstanding.contains { $0.sequence == lastSequence }
    return lastSequence
  }

  private static func result(
    of payload: Bytes, _ flags: HeadphonePacket.Flags
  ) throws(MalformedBytes) -> Result<Bytes, HeadphoneError> {
    guard let code = payload.first else {
      guard flags.contains(.error) else {
        throw MalformedBytes("response", at: 0, .truncated(needed: 1, available: 0))
      }
      return .failure(.refused(.unspecified))
    }
    let status = HeadphoneStatus(code: code)
    guard status == .ok else { return .failure(.refused(status)) }
    return flags.contains(.error) ? .failure(.refused(.unspecified)) : .success(payload.dropFirst())
  }
}
