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
/// queue.receive(answer: exchange.answer, at: .milliseconds(80))   // [.finished(ticket, nil)]
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
    var deadline: Duration = .zero
  }

  /// How long an answer to each value may take.
  static let timeout: Duration = .seconds(1)

  private var entries: [Entry] = []
  private var lastTicket: UInt64 = 0

  /// When ``elapse(to:)`` has something to do; nil: nothing is awaited.
  var nextDeadline: Duration? { entries.first?.deadline }

  /// - Parameter attempts: how often it is written at most, at least once; an exchange may say
  ///   otherwise.
  mutating func submit(
    _ exchange: Exchange, attempts: Int, at now: Duration
  ) -> (ticket: Ticket, effects: [Effect]) {
    lastTicket += 1
    let ticket = Ticket(number: lastTicket)
    entries.append(
      Entry(
        ticket: ticket, exchange: exchange, attemptsLeft: max(1, exchange.attempts ?? attempts)))
    return (ticket, entries.count == 1 ? begin(at: now) : [])
  }

  /// An answer came; one that is not awaited changes nothing.
  mutating func receive(response: ResponseID, at now: Duration) -> [Effect] {
    guard let first = entries.first, first.exchange.response == response else { return [] }
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
    guard let first = entries.first, first.deadline <= now else { return [] }
    return first.attemptsLeft > 0 ? begin(at: now) : finish(first.ticket, .noResponse, at: now)
  }

  /// Ends them all.
  mutating func fail(_ error: HeadphoneError) -> [Effect] {
    defer { entries = [] }
    return entries.map { .finished($0.ticket, error) }
  }

  /// Writes what is first in the line.
  private mutating func begin(at now: Duration) -> [Effect] {
    guard !entries.isEmpty else { return [] }
    let values = entries[0].exchange.values
    entries[0].attemptsLeft -= 1
    entries[0].deadline = now + Self.timeout * max(1, values.count)
    let (ticket, hasResponse) = (entries[0].ticket, entries[0].exchange.hasResponse)
    return [.write(ticket, values)] + (hasResponse ? [] : finish(ticket, nil, at: now))
  }
}
