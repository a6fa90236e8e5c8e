public import BluetoothCodec

/// A question or order of a family's language, and how its answer is known.
///
/// Several go out one behind the other where only the last is answered for sure; nobody waits for
/// the others.
public struct Exchange: Hashable, Sendable {
  /// The values to write, in order; empty: none, only waits for an unprompted report.
  public var values: [Bytes]
  /// What the answer to the last is recognised by.
  public var answer: AnswerID

  /// Whether the headphone answers it; else it has ended when it is written.
  public var isAnswered = true

  /// An exchange; no values for what the headphone reports unprompted.
  public init(_ values: [UInt8]..., answer: AnswerID) {
    self.values = values.map { $0[...] }
    self.answer = answer
  }

  /// An order that nothing answers.
  public init(unanswered value: [UInt8]) {
    self.init(value, answer: 0)
    isAnswered = false
  }

  /// The same, with questions before it that need not be answered.
  package func after(_ others: [Exchange]) -> Exchange {
    var exchange = self
    exchange.values = others.flatMap(\.values) + values
    return exchange
  }
}

/// The identifier that matches a response; unprompted messages have no request number.
public struct AnswerID: Hashable, Sendable, ExpressibleByIntegerLiteral {
  /// The number that the language gives it: that of a command, for example.
  public var number: UInt16
  /// Of the question, which its answer repeats; nil: the language counts none.
  public var sequence: UInt8?

  public init(_ number: UInt16, sequence: UInt8? = nil) {
    self.number = number
    self.sequence = sequence
  }

  /// Of a language that counts no questions.
  public init(integerLiteral number: UInt16) { self.init(number) }
}

/// What a value from the headphone meant.
public struct ParsedMessage: Hashable, Sendable {
  /// The exchange that it answers; nil: it was unprompted.
  public var answer: AnswerID?
  /// In the order in which they are emitted.
  public var events: [HeadphoneEvent]
  /// What the headphone is to be answered; nil: it waits for nothing.
  public var reply: [UInt8]?

  public init(
    answer: AnswerID? = nil, _ events: [HeadphoneEvent] = [], reply: [UInt8]? = nil
  ) {
    self.answer = answer
    self.events = events
    self.reply = reply
  }
}
