public import BluetoothCodec

/// The protocol of one maker's headphones as a value, without I/O, clock or task.
///
/// The capabilities follow from what the headphone reports: an unanswered query removes its feature
/// and nothing else. The driver uses a protocol in this order:
///
/// 1. ``questions()`` at the start, then ``furtherQuestions()`` until there are none; the driver
///    writes their values and awaits the answers.
/// 2. ``messages(in:)`` and ``receive(_:)`` for each value that arrives.
/// 3. ``exchanges(for:)`` for a command, and ``accepted(_:)`` after its answers.
public protocol HeadphoneProtocol: Sendable {
  /// The frame that is written and received.
  associatedtype Frame: SerialFrame

  /// The name of the family, for example "Nothing / CMF".
  static var name: String { get }

  /// The name of the family or, for a driver from a file, of its maker.
  var name: String { get }

  /// The capabilities according to the values reported so far.
  var capabilities: Capabilities { get }

  /// The device information reported so far.
  var information: DeviceInformation { get }

  /// The features that a user may look for but that are not understood here, with the reasons.
  var missing: [String] { get }

  /// Applies the model once it is known.
  mutating func recognise(_ model: HeadphoneModel)

  /// Returns the queries at the start and for a full refresh, which report all values again.
  mutating func questions() -> [Exchange]

  /// Whether the headphone has answered in this protocol; if not, it is not of the family.
  var isRecognised: Bool { get }

  /// Returns the queries that follow from the answers so far, or none.
  ///
  /// It is called again after each round is answered, at most eight times. An unanswered query is
  /// not repeated: its feature is missing.
  mutating func furtherQuestions() -> [Exchange]

  /// The unprompted reports that are expected after the queries and have not arrived yet.
  var awaited: [Exchange] { get }

  /// Returns the request for the charge alone, or nil if each change is reported or nothing is.
  ///
  /// A driver sends it while something shows the charge and the last report is old.
  mutating func chargeQuestion() -> Exchange?

  /// Returns the exchanges of a command in order, or throws `unsupported` or `badArgument`.
  mutating func exchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange]

  /// Returns the events of a command after its last answer, or throws `unsupported` or `refused`.
  mutating func accepted(_ command: HeadphoneCommand) throws(HeadphoneError) -> [HeadphoneEvent]

  /// Returns the reason why a command got no response, or nil if unknown.
  func reasonForSilence(after command: HeadphoneCommand) -> HeadphoneError?

  /// Returns the final form of a value to write, for example with the number of the next frame.
  mutating func framed(_ value: Bytes) -> Bytes

  /// Returns the messages that a received value completes, each for ``receive(_:)``.
  mutating func messages(in value: Bytes) -> [Bytes]

  /// Handles one message; malformed bytes become an event.
  mutating func receive(_ value: Bytes) -> ParsedMessage

  /// Returns the error for bytes that must not be written, or nil if they may be sent.
  func refusal(of bytes: Bytes) -> HeadphoneError?

  /// Whether a driver file describes the protocol; false by default.
  var isFromFile: Bool { get }

  /// Returns the characteristics in a headphone's database, or nil if it has none.
  func channel(in database: Database) -> FamilyChannel?
}

extension HeadphoneProtocol {
  /// The name of the family by default.
  public var name: String { Self.name }

  /// Refuses the family's harmful commands by default.
  public func refusal(of bytes: Bytes) -> HeadphoneError? { Self.refusal(of: bytes) }

  public var isFromFile: Bool { false }

  /// Returns nil by default: the protocol is not used over GATT.
  public func channel(in database: Database) -> FamilyChannel? { nil }

  /// No features by default: all that the headphone reports is understood.
  public var missing: [String] { [] }

  /// Does nothing by default: all models of the family have the same protocol.
  public mutating func recognise(_ model: HeadphoneModel) {}

  /// Returns no queries by default.
  public mutating func furtherQuestions() -> [Exchange] { [] }

  /// No reports by default.
  public var awaited: [Exchange] { [] }

  /// Returns the exchanges of a command, and throws `badArgument` for a value not in its setting.
  package mutating func checkedExchanges(
    for command: HeadphoneCommand
  ) throws(HeadphoneError) -> [Exchange] {
    if case .set(let id, let value) = command,
      let declaration = capabilities.declaration(of: id), !declaration.accepts(value)
    {
      throw .badArgument("\(id.displayText) has no \(value.text)")
    }
    return try exchanges(for: command)
  }

  /// Returns nil by default: the headphone reports each change of its charge.
  public mutating func chargeQuestion() -> Exchange? { nil }

  /// Returns nil by default: a headphone answers a command that it refuses.
  public func reasonForSilence(after command: HeadphoneCommand) -> HeadphoneError? { nil }

  /// Returns the value unchanged by default.
  public mutating func framed(_ value: Bytes) -> Bytes { value }

  /// Returns the value as one message by default.
  public mutating func messages(in value: Bytes) -> [Bytes] { [value] }
}

extension HeadphoneEvent {
  package static func malformed(_ error: MalformedBytes, _ bytes: Bytes) -> HeadphoneEvent {
    .malformed("\(error): \(hexadecimal(bytes))")
  }
}
