public import BluetoothCodec

/// The host's side of the command channel as a value: packets and the time go in, effects come out
/// (docs/protocol.md section 5).
///
/// At most ``window`` commands are outstanding, the rest wait in order. Each is sent with a
/// sequence of its own (1 to 255), answered by the packet with the same command and sequence, sent
/// again unchanged after 2 s, three times in all, and then fails. Times are measured from any fixed
/// moment, the same one for all calls.
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

  /// An action that the engine requests; to be carried out in order.
  public enum Effect: Hashable, Sendable {
    /// Send these packets in order; `attempt` is 1 to 3.
    case send(Ticket, [HeadphonePacket], attempt: Int)
    /// A command has ended: with the response's data after its status, or an error. Each command
    /// ends once.
    case finished(Ticket, Result<Bytes, HeadphoneError>)
    /// A packet answers no outstanding command: it is late, a duplicate, or not for this host.
    case ignored(HeadphonePacket)
    /// A response could not be decoded; its command is sent again.
    case malformed(MalformedBytes, HeadphonePacket)
  }

  /// The time without a response after which the same packets are sent again.
  public static let timeout: Duration = .seconds(2)
  /// The number of attempts after which a command fails.
  public static let attempts = 3

  /// A command that waits for the window.
  struct Waiting {
    var ticket: Ticket
    var command: CommandID
    var payload: Bytes
  }

  /// A command whose response is awaited.
  struct Outstanding {
    var ticket: Ticket
    var command: CommandID
    var sequence: UInt8
    var packets: [HeadphonePacket]
    var attempt: Int
    var deadline: Duration
    var joiner = FragmentJoiner()
    /// Whether the caller was cancelled; the sequence stays in use until the response or the
    /// time-out.
    var isCancelled = false
  }

  /// The number of commands that may be outstanding; a change applies from the next command on.
  public private(set) var window = 1

  /// The largest window, far below the number of sequences, whatever a headphone reports.
  private static let widestWindow = 16

  private var waiting: [Waiting] = []
  private(set) var outstanding: [Outstanding] = []
  private var lastSequence: UInt8 = 0
  private var lastTicket: UInt64 = 0

  /// An engine without commands.
  ///
  /// - Parameter window: clamped to 1...16.
  public init(window: Int = 1) { setWindow(window) }

  /// Changes the window, clamped to 1...16.
  public mutating func setWindow(_ window: Int) {
    self.window = min(max(1, window), Self.widestWindow)
  }

  /// The time to call ``elapse(to:)``; `nil` while no response is awaited.
  public var nextDeadline: Duration? { outstanding.map(\.deadline).min() }

  /// Whether a response is awaited.
  public var isAwaitingResponse: Bool { !outstanding.isEmpty }

  /// Submits a command, which is sent now or when the window has room.
  ///
  /// - Parameters:
  ///   - command: the command.
  ///   - payload: of any length; it is split into packets.
  ///   - now: the time.
  /// - Returns: the command's identity, and the effects.
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
        // The headphone is still sending the response: the time-out is for silence.
        outstanding[index].deadline = now + Self.timeout
        return []
      }
      let result = try Self.result(of: whole.payload, whole.flags)
      return end(index, with: result) + fillWindow(at: now)
    } catch {
      return [.malformed(error, packet)]
    }
  }

  /// Handles the time: overdue commands are sent again or fail.
  public mutating func elapse(to now: Duration) -> [Effect] {
    var effects: [Effect] = []
    for command in outstanding where command.deadline <= now {
      // In the order of the first attempts, so that the last value wins even if those were missed.
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

  /// Ends a command whose caller was cancelled; it is not sent again, and its response is ignored.
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

  /// Ends all commands with the same error, for example because the link has ended.
  public mutating func fail(_ error: HeadphoneError) -> [Effect] {
    let tickets = outstanding.filter { !$0.isCancelled }.map(\.ticket) + waiting.map(\.ticket)
    outstanding = []
    waiting = []
    return tickets.map { .finished($0, .failure(error)) }
  }

  /// Ends an outstanding command.
  private mutating func end(
    _ index: Int, with result: Result<Bytes, HeadphoneError>
  ) -> [Effect] {
    let ended = outstanding.remove(at: index)
    return ended.isCancelled ? [] : [.finished(ended.ticket, result)]
  }

  /// Sends waiting commands as far as the window permits.
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

  /// The next sequence of 1 to 255 that is not outstanding.
  private mutating func nextSequence() -> UInt8 {
    repeat {
      lastSequence = lastSequence == UInt8.max ? 1 : lastSequence + 1
    } while outstanding.contains { $0.sequence == lastSequence }
    return lastSequence
  }

  /// The result in a response: its first byte is the status.
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
