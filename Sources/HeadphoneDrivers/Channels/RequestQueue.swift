internal import BluetoothCodec
internal import HeadphoneProtocols

/// Exchanges as a value: one at a time, repeated when no answer comes, given up at last.
///
/// Times are durations since any fixed origin.
///
/// Vendors' protocols have no sequence numbers, or do not echo them: a report is matched to the
/// only exchange that is outstanding by its ``/HeadphoneProtocols/ResponseID``.
///
/// ```swift
/// var queue = RequestQueue()
/// let (ticket, effects) = queue.submit(exchange, attempts: 2, at: .zero)   // [.write(ticket, …)]
/// queue.written(ticket, at: .zero)
/// queue.receive([exchange.response], at: .milliseconds(80))   // [.finished(ticket, nil)]
/// ```
struct RequestQueue: Sendable {
  /// Names an exchange from its submission to its end.
  struct Ticket: Hashable, Sendable {
    fileprivate var number: UInt64
  }

  /// A step that the driver takes next; several come in order.
  enum Effect: Hashable, Sendable {
    case write(Ticket, [Bytes])
    /// It has ended; nil: it was answered.
    case finished(Ticket, HeadphoneError?)
  }

  private struct Entry {
    var ticket: Ticket
    var exchange: Exchange
    var attemptsLeft: Int
    var timeout: Duration
    /// The end of the time to answer, or nil while the exchange is still being written.
    var deadline: Duration?
  }

  /// The time in which each value of a question is answered.
  static let timeout: Duration = .seconds(1)
  /// The time in which a command is answered.
  ///
  /// AirPods and a Sony WH-CH720N were recorded to report a change up to 1.2 s after the command:
  /// written again after a second, it would be carried out twice.
  static let commandTimeout: Duration = .seconds(2)

  private var entries: [Entry] = []
  private var lastTicket: UInt64 = 0

  /// When ``elapse(to:)`` has something to do, or nil if no answer is awaited.
  var nextDeadline: Duration? { entries.first?.deadline }

  /// - Parameters:
  ///   - attempts: how often it is written at most, at least once; an exchange may say otherwise.
  ///   - timeout: the time in which each value is answered. An exchange with its own number of
  ///     attempts asks once a second until something has happened.
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

  /// Begins the time to answer of an exchange whose last byte has left: a write may wait for a person
  /// who is asked to pair.
  mutating func written(_ ticket: Ticket, at now: Duration) {
    guard let first = entries.first, first.ticket == ticket else { return }
    entries[0].deadline = now + first.timeout * max(1, first.exchange.values.count)
  }

  /// Ends the first exchange if a message answers it.
  mutating func receive(_ responses: Set<ResponseID>, at now: Duration) -> [Effect] {
    guard let first = entries.first, responses.contains(first.exchange.response) else { return [] }
    return finish(first.ticket, nil, at: now)
  }

  /// Ends an exchange, whatever the headphone does with it.
  mutating func finish(
    _ ticket: Ticket, _ error: HeadphoneError?, at now: Duration
  ) -> [Effect] {
    guard let index = entries.firstIndex(where: { $0.ticket == ticket }) else { return [] }
    entries.remove(at: index)
    return [.finished(ticket, error)] + (index == 0 ? begin(at: now) : [])
  }

  /// The deadline of the first exchange: written again while attempts are left, else ended with
  /// `noResponse`.
  mutating func elapse(to now: Duration) -> [Effect] {
    guard let first = entries.first, let deadline = first.deadline, deadline <= now else {
      return []
    }
    return first.attemptsLeft > 0 ? begin(at: now) : finish(first.ticket, .noResponse, at: now)
  }

  /// Ends them all.
  mutating func fail(_ error: HeadphoneError) -> [Effect] {
    defer { entries = [] }
    return entries.map { .finished($0.ticket, error) }
  }

  /// Writes what is first in the line.
  private mutating func begin(at now: Duration) -> [Effect] {
    guard let first = entries.first else { return [] }
    entries[0].attemptsLeft -= 1
    entries[0].deadline = nil
    if first.exchange.values.isEmpty { written(first.ticket, at: now) }
    return [.write(first.ticket, first.exchange.values)]
  }
}
