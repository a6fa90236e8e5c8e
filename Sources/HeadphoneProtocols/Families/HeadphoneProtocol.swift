public import BluetoothCodec

/// The language of one maker's headphones as a value: no I/O, no clock, no task.
///
/// What the headphone has is learnt from what it answers: an unanswered question takes its feature
/// away and nothing else.
public protocol HeadphoneProtocol: Sendable {
  /// "Nothing / CMF".
  static var name: String { get }

  /// The headphone's capabilities, by the values reported so far.
  var capabilities: Capabilities { get }

  /// The headphone's reported device information.
  var information: DeviceInformation { get }

  /// Which model it is, as soon as that is known.
  mutating func recognise(_ model: HeadphoneModel)

  /// What is asked at the start and when all is read again, in order; every value is news then.
  mutating func questions() -> [Exchange]

  /// Unprompted reports that are expected after the queries and have not arrived yet.
  var awaited: [Exchange] { get }

  /// What carries a command out, in order.
  ///
  /// - Throws: `unsupported` or `badArgument`.
  mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange]

  /// Events to emit when all exchanges of a command are answered.
  ///
  /// - Throws: `unsupported` where the headphone answered and did not do it.
  mutating func accepted(_ command: HeadphoneCommand) throws(HeadphoneError) -> [HeadphoneEvent]

  /// A value of an exchange as it is written now, for example with the number of the next frame.
  mutating func framed(_ value: Bytes) -> Bytes

  /// The messages that what came brings, each for ``receive(_:)``.
  mutating func messages(in value: Bytes) -> [Bytes]

  /// Takes one value from the headphone; what makes no sense is an event that says so.
  mutating func receive(_ value: Bytes) -> ParsedMessage
}

extension HeadphoneProtocol {
  /// All models of the family speak alike.
  public mutating func recognise(_ model: HeadphoneModel) {}

  /// No unprompted reports are expected.
  public var awaited: [Exchange] { [] }

  /// Values are written as they are.
  public mutating func framed(_ value: Bytes) -> Bytes { value }

  /// Each value is a message.
  public mutating func messages(in value: Bytes) -> [Bytes] { [value] }
}

extension HeadphoneEvent {
  /// Bytes that made no sense, and why.
  package static func malformed(_ error: MalformedBytes, _ bytes: Bytes) -> HeadphoneEvent {
    .malformed("\(error): \(hexadecimal(bytes))")
  }
}
