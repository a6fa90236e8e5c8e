public import BluetoothCodec

/// One question or order of a family's language, and how its answer is known.
public struct Exchange: Hashable, Sendable {
  /// What is written; empty: nothing, what the headphone tells by itself is waited for.
  public var value: Bytes
  /// What the answer is recognised by: the number that the language gives it.
  public var answer: UInt16

  /// `value` is empty for what the headphone tells by itself.
  public init(_ value: [UInt8], answer: UInt16) {
    self.value = value[...]
    self.answer = answer
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
