public import BluetoothCodec

/// The phone's side of the command channel as a value: bytes and the time go in, effects come out
/// (docs/protocol.md section 5).
///
/// At most `window` commands are outstanding, the rest wait in order. Each is sent with a sequence
/// of its own (1 to 255), answered by the packet with the same command and sequence, sent again
/// unchanged after 2 s, three times in all, and then fails. Times are durations since any fixed
/// origin.
public struct CommandEngine: Sendable {
  /// Names a command from its submission to its end.
  public struct Ticket: Hashable, Sendable {
    let number: UInt64
  }

  /// What the engine wants done, in order.
  public enum Effect: Hashable, Sendable {
    /// Send these packets in order; `attempt` is 1 to 3.
    case send(Ticket, [HeadphonePacket], attempt: Int)
    /// The command has ended: the response's data without its status, or why there is none.
    case finished(Ticket, Result<Bytes, HeadphoneError>)
    /// A packet that answers nothing that is asked: late, duplicate, foreign.
    case ignored(HeadphonePacket)
    /// A response that could not be read.
    case malformed(MalformedBytes, HeadphonePacket)
  }

  /// How long an answer may take before the same packets are sent again (docs/protocol.md section
  /// 5).
  public static let timeout: Duration = .seconds(2)
  /// How often a command is sent in all before it fails.
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
    /// The caller has gone; the sequence stays taken until its answer or its time-out.
    var isCancelled = false
  }

  /// Commands outstanding at a time; a change counts from the next command on.
  public private(set) var window = 1

  /// However many a headphone says it takes; far fewer than there are sequences.
  private static let widestWindow = 16

  private var waiting: [Waiting] = []
  private(set) var outstanding: [Outstanding] = []
  private var lastSequence: UInt8 = 0
  private var lastTicket: UInt64 = 0

  /// An engine before any command; `window` is brought into 1...16.
  public init(window: Int = 1) { setWindow(window) }

  /// Changes how many commands may be outstanding; at least 1.
  public mutating func setWindow(_ window: Int) {
    self.window = min(max(1, window), Self.widestWindow)
  }

  /// When ``elapse(to:)`` has something to do.
  public var nextDeadline: Duration? { outstanding.map(\.deadline).min() }

  /// Whether a response is awaited.
  public var isAwaitingResponse: Bool { !outstanding.isEmpty }

  /// Asks for a command to be carried out.
  public mutating func submit(
    _ command: CommandID, payload: Bytes = [], at now: Duration
  ) -> (ticket: Ticket, effects: [Effect]) {
    lastTicket += 1
    let ticket = Ticket(number: lastTicket)
    waiting.append(Waiting(ticket: ticket, command: command, payload: payload))
    return (ticket, fillWindow(at: now))
  }

  /// Takes a packet that the headphone sent.
  public mutating func receive(_ packet: HeadphonePacket, at now: Duration) -> [Effect] {
    guard packet.version == HeadphonePacket.currentVersion, packet.flags.contains(.response),
      let index = outstanding.firstIndex(where: {
        $0.command == packet.command && $0.sequence == packet.sequence
      })
    else { return [.ignored(packet)] }
    do {
      guard let whole = try outstanding[index].joiner.receive(packet) else {
        // The headphone is at work on the answer: the time-out is for its silence.
        outstanding[index].deadline = now + Self.timeout
        return []
      }
      let result = try Self.result(of: whole.payload, whole.flags)
      return end(index, with: result) + fillWindow(at: now)
    } catch {
      return [.malformed(error, packet)]
    }
  }

  /// Lets the time pass: what is overdue is sent again or fails.
  public mutating func elapse(to now: Duration) -> [Effect] {
    var effects: [Effect] = []
    for command in outstanding where command.deadline <= now {
      // In the order of the first attempts: a headphone that hears only the repeats ends as wanted.
      guard let index = outstanding.firstIndex(where: { $0.ticket == command.ticket }) else {
        continue
      }
      guard !command.isCancelled, command.attempt < Self.attempts else {
        effects += end(index, with: .failure(.noResponse))
        continue
      }
      outstanding[index].attempt += 1
      outstanding[index].deadline = now + Self.timeout
      // The headphone answers the repeated packet from the beginning.
      outstanding[index].joiner = FragmentJoiner()
      let repeated = outstanding[index]
      effects.append(.send(repeated.ticket, repeated.packets, attempt: repeated.attempt))
    }
    return effects + fillWindow(at: now)
  }

  /// Sends what is outstanding as if for the first time: what was sent before did not count.
  public mutating func startOver(at now: Duration) -> [Effect] {
    for index in outstanding.indices {
      outstanding[index].attempt = 1
      outstanding[index].deadline = now + Self.timeout
      outstanding[index].joiner = FragmentJoiner()
    }
    return outstanding.filter { !$0.isCancelled }
      .map { .send($0.ticket, $0.packets, attempt: $0.attempt) }
  }

  /// Forgets a command whose caller has gone; it is not sent again, and its answer is ignored.
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

  /// Ends one command that could not be sent.
  public mutating func fail(
    _ ticket: Ticket, _ error: HeadphoneError, at now: Duration
  ) -> [Effect] {
    guard let index = outstanding.firstIndex(where: { $0.ticket == ticket }) else { return [] }
    return end(index, with: .failure(error)) + fillWindow(at: now)
  }

  /// Ends every command with the same error.
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

  /// The next of 1…255 that is not outstanding.
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
