public import BluetoothCodec

/// A query or command; of several values, only the answer to the last one is awaited.
public struct Exchange: Hashable, Sendable {
  /// The values to write, in order; none if only an unprompted report is awaited.
  public var values: [Bytes]
  /// The identifier of the answer to the last value.
  public var response: ResponseID

  /// Whether the headphone answers; if not, the exchange ends once it is written.
  public var hasResponse = true

  /// The maximum number of attempts, or nil for the usual number.
  public var attempts: Int?

  /// The pause before the values are written, or nil for none.
  public var delay: Duration?

  /// Creates an exchange; without values, an unprompted report is awaited.
  public init(_ values: [UInt8]..., response: ResponseID) {
    self.values = values.map { $0[...] }
    self.response = response
  }

  /// Creates a command without an answer.
  public init(withoutResponse value: [UInt8]) {
    self.init(value, response: 0)
    hasResponse = false
  }

  /// Returns the exchange after a pause, for a headphone that is slow with the previous one.
  package func delayed(by delay: Duration) -> Exchange {
    var exchange = self
    exchange.delay = delay
    return exchange
  }

  /// Returns the exchange after others whose answers are not awaited.
  package func after(_ others: [Exchange]) -> Exchange {
    var exchange = self
    exchange.values = others.flatMap(\.values) + values
    return exchange
  }
}

/// The identifier that matches an answer to its exchange.
public struct ResponseID: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The number in the protocol, for example of the command.
  public var number: UInt16
  /// The sequence number that the answer repeats, or nil if the protocol has none.
  public var sequence: UInt8?

  public init(_ number: UInt16, sequence: UInt8? = nil) {
    self.number = number
    self.sequence = sequence
  }

  public init(integerLiteral number: UInt16) { self.init(number) }
}

/// The meaning of a message from the headphone.
public struct ParsedMessage: Hashable, Sendable {
  /// The exchanges that the message answers; unprompted reports may have some.
  public var responses: Set<ResponseID>
  /// The events in the order in which they are emitted.
  public var events: [HeadphoneEvent]
  /// The message to send back, or nil if the headphone expects none.
  public var reply: [UInt8]?

  /// Creates a message that answers one exchange, or none.
  public init(
    response: ResponseID? = nil, _ events: [HeadphoneEvent] = [], reply: [UInt8]? = nil
  ) {
    responses = response.map { [$0] } ?? []
    self.events = events
    self.reply = reply
  }
}
