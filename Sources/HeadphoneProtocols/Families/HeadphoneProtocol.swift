public import BluetoothCodec

/// The protocol of one maker's headphones as a value, without I/O, clock or task.
///
/// The capabilities follow from what the headphone reports: an unanswered query removes its feature
/// and nothing else. The driver calls it in this order:
///
/// 1. ``questions()`` at the start, and ``furtherQuestions()`` in rounds until there are none; it
///    writes their values and awaits the answers.
/// 2. ``messages(in:)`` and ``receive(_:)`` for each value that arrives.
/// 3. ``exchanges(for:)`` for a command, and ``accepted(_:)`` after its answers.
public protocol HeadphoneProtocol: Sendable {
  /// The frame of what is written and received.
  associatedtype Frame: SerialFrame

  /// The name of the family, for example "Nothing / CMF".
  static var name: String { get }

  /// The capabilities by the values reported so far.
  var capabilities: Capabilities { get }

  /// The device information reported so far.
  var information: DeviceInformation { get }

  /// The features that a user may look for and that are not understood here, with the reasons.
  var missing: [String] { get }

  /// Adopts the model, as soon as it is known.
  mutating func recognise(_ model: HeadphoneModel)

  /// The queries at the start and for a full refresh, in order; all values are then reported again.
  mutating func questions() -> [Exchange]

  /// Whether the headphone has answered in this protocol; one that has not is none of the family.
  var isRecognised: Bool { get }

  /// The queries that follow from the answers so far; empty: nothing more.
  ///
  /// It is called again after each round is answered, at most eight times. An unanswered query is
  /// not repeated: its feature is not there.
  mutating func furtherQuestions() -> [Exchange]

  /// The unprompted reports that are expected after the queries and have not arrived yet.
  var awaited: [Exchange] { get }

  /// The exchanges that carry out a command, in order.
  ///
  /// - Throws: `unsupported` or `badArgument`.
  mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange]

  /// The events after all exchanges of a command were answered.
  ///
  /// - Throws: `unsupported` or `refused` if the headphone answered without carrying it out.
  mutating func accepted(_ command: HeadphoneCommand) throws(HeadphoneError) -> [HeadphoneEvent]

  /// Returns the reason why the headphone leaves a command without a response, or nil if none is known.
  func reasonForSilence(after command: HeadphoneCommand) -> HeadphoneError?

  /// The final form of a value when it is written, for example with the number of the next frame.
  mutating func framed(_ value: Bytes) -> Bytes

  /// The messages that a received value completes, each for ``receive(_:)``.
  mutating func messages(in value: Bytes) -> [Bytes]

  /// Handles one message; malformed ones become an event.
  mutating func receive(_ value: Bytes) -> ParsedMessage
}

extension HeadphoneProtocol {
  /// What it reports is understood.
  public var missing: [String] { [] }

  /// All models of the family have the same protocol.
  public mutating func recognise(_ model: HeadphoneModel) {}

  /// The first queries are all.
  public mutating func furtherQuestions() -> [Exchange] { [] }

  /// No unprompted reports are expected.
  public var awaited: [Exchange] { [] }

  /// Returns nil, as a headphone responds to what it refuses.
  public func reasonForSilence(after command: HeadphoneCommand) -> HeadphoneError? { nil }

  /// Values are written as they are.
  public mutating func framed(_ value: Bytes) -> Bytes { value }

  /// Each value is a message.
  public mutating func messages(in value: Bytes) -> [Bytes] { [value] }
}

extension HeadphoneEvent {
  /// An event for malformed bytes.
  package static func malformed(_ error: MalformedBytes, _ bytes: Bytes) -> HeadphoneEvent {
    .malformed("\(error): \(hexadecimal(bytes))")
  }
}
