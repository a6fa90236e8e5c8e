public import BluetoothCodec

/// A question or order of a family's language, and how its answer is known.
///
/// Several go out one behind the other where only the last is answered for sure: headphones answer
/// in the order in which they are asked, so that what is not told before the answer to the last is
/// not there, and nobody has waited for it.
public struct Exchange: Hashable, Sendable {
  /// What is written, in order; empty: nothing, what the headphone tells by itself is waited for.
  public var values: [Bytes]
  /// What the answer to the last is recognised by: the number that the language gives it.
  public var answer: UInt16

  /// No values are for what the headphone tells by itself.
  public init(_ values: [UInt8]..., answer: UInt16) {
    self.values = values.map { $0[...] }
    self.answer = answer
  }

  /// The same, with questions before it that need not be answered.
  func after(_ others: [Exchange]) -> Exchange {
    var exchange = self
    exchange.values = others.flatMap(\.values) + values
    return exchange
  }
}

/// What a value from the headphone meant.
public struct Heard: Hashable, Sendable {
  /// The exchange that it answers; nil: it was told unasked.
  public var answer: UInt16?
  /// In the order in which they are told.
  public var events: [HeadphoneEvent]

  public init(answer: UInt16? = nil, _ events: [HeadphoneEvent] = []) {
    self.answer = answer
    self.events = events
  }
}
