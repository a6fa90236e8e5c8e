internal import BluetoothCodec
internal import HeadphoneProtocols

/// A queue of exchanges as a value: one is outstanding at a time, and repeated without an answer.
///
/// Times are durations since any fixed origin.
///
/// Makers' protocols have no sequence numbers, or do not repeat them in responses. A report is
/// therefore matched to the one outstanding exchange by its ``/HeadphoneProtocols/ResponseID``.
struct RequestQueue: Sendable {
  struct Ticket: Hashable, Sendable {
    fileprivate var number: UInt64
  }

  /// A step for the driver to take; several steps are taken in order.
  enum Effect: Hashable, Sendable {
    case write(Ticket, [Bytes])
    /// The exchange has ended; the error is nil if it was answered.
    case finished(Ticket, HeadphoneError?)
  }

  private struct Entry {
    var ticket: Ticket
    var exchange: Exchange
    var attemptsLeft: Int
    var timeout: Duration
    /// The time at which the answer is overdue, or nil while the exchange is being written.
    var deadline: Duration?
  }

  /// The time in which each value of a request must be answered.
  static let timeout: Duration = .seconds(1)
  /// The time in which a command must be answered.
  ///
  /// AirPods and a Sony WH-CH720N were recorded reporting a change up to 1.2 s after the command,
  /// which a repetition after a second would carry out twice.
  static let commandTimeout: Duration = .seconds(2)

  private var entries: [Entry] = []
  private var lastTicket: UInt64 = 0

  /// The time of the next call of ``elapse(to:)``, or nil if no answer is awaited.
  var nextDeadline: Duration? { entries.first?.deadline }

  /// Adds an exchange, and begins it if no other is outstanding.
  ///
  /// - Parameters:
  ///   - attempts: the most writes, at least one, unless the exchange has its own number.
  ///   - timeout: the time in which each value must be answered. An exchange with its own number of
  ///     attempts is repeated once a second instead.
  mutating func submit(
    _ exchange: Exchange, attempts: Int, timeout: Duration = Self.timeout, at now: Duration
  ) -> (ticket: Ticket, effects: [Effect]) {
    lastTicket += 1
    let ticket = Ticket(number: lastTicket)
    entries.append(
      Entry(
        ticket: ticket, exchange: exchange, attemptsLeft: max(1, exchange.attempts ?? attempts),
        timeout: exchange.attempts == nil ? timeout : Self.timeout))
    return (ticket, entries.count == 1 ? begin(at: now) : [])
  }

  /// Starts the time-out once all is written, as a write may wait for a user who is asked to pair.
  mutating func written(_ ticket: Ticket, at now: Duration) {
    guard let first = entries.first, first.ticket == ticket else { return }
    entries[0].deadline = now + first.timeout * max(1, first.exchange.values.count)
  }

  mutating func receive(_ responses: Set<ResponseID>, at now: Duration) -> [Effect] {
    guard let first = entries.first, responses.contains(first.exchange.response) else { return [] }
    return finish(first.ticket, nil, at: now)
  }

  mutating func finish(
    _ ticket: Ticket, _ error: HeadphoneError?, at now: Duration
  ) -> [Effect] {
    guard let index = entries.firstIndex(where: { $0.ticket == ticket }) else { return [] }
    entries.remove(at: index)
    return [.finished(ticket, error)] + (index == 0 ? begin(at: now) : [])
  }

  /// Writes the first exchange again, or ends it with `noResponse` if no attempts are left.
  mutating func elapse(to now: Duration) -> [Effect] {
    guard let first = entries.first, let deadline = first.deadline, deadline <= now else {
      return []
    }
    return first.attemptsLeft > 0 ? begin(at: now) : finish(first.ticket, .noResponse, at: now)
  }

  mutating func fail(_ error: HeadphoneError) -> [Effect] {
    defer { entries = [] }
    return entries.map { .finished($0.ticket, error) }
  }

  private mutating func begin(at now: Duration) -> [Effect] {
    guard let first = entries.first else { return [] }
    entries[0].attemptsLeft -= 1
    entries[0].deadline = nil
    if first.exchange.values.isEmpty { written(first.ticket, at: now) }
    return [.write(first.ticket, first.exchange.values)]
  }
}
