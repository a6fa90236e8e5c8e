internal import BluetoothCodec

/// A protocol whose headphone reports its values, in frames of which each says which question it
/// answers.
protocol ReportingProtocol: HeadphoneProtocol {
  /// The values that the headphone has reported so far.
  var reported: ReportedValues { get set }

  /// The modes of noise control of a headphone that has reported one.
  var ancModes: [ANCMode] { get }

  /// Applies the values of one frame to ``reported``.
  ///
  /// - Parameter message: gets the responses that the frame is, and what is sent back, before anything
  ///   is thrown: a request is answered by a malformed value, too.
  /// - Throws: `MalformedBytes` for a value that cannot be.
  mutating func apply(_ frame: Frame, to message: inout ParsedMessage) throws(MalformedBytes)
}

extension ReportingProtocol {
  var ancModes: [ANCMode] { [.off, .noiseCancelling, .transparency] }

  /// The capabilities that were reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.hasNoise { able.ancModes = ancModes }
    return able
  }

  /// Applies one frame.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    parsed(value) { me, message throws(MalformedBytes) in
      try me.apply(try Frame(decoding: value), to: &message)
    }
  }

  /// Returns what a message means, with the changes that it has reported.
  ///
  /// - Parameters:
  ///   - value: the message.
  ///   - parse: applies its values to ``reported`` as it reads them. What it throws costs the rest of
  ///     the message, and nothing that was read before.
  mutating func parsed(
    _ value: Bytes,
    _ parse: (inout Self, inout ParsedMessage) throws(MalformedBytes) -> Void
  ) -> ParsedMessage {
    var message = ParsedMessage()
    do throws(MalformedBytes) { try parse(&self, &message) } catch { reported.reject(error) }
    message.events += reported.takeEvents(of: value)
    return message
  }

  /// Applies a part of a message, in which a value that cannot be costs this part alone.
  mutating func isolating(_ parse: (inout Self) throws(MalformedBytes) -> Void) {
    do throws(MalformedBytes) { try parse(&self) } catch { reported.reject(error) }
  }

  /// Confirms a command by the value that the headphone has reported since.
  ///
  /// - Throws: the headphone's refusal, or `unsupported` if it reports another value.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    return []
  }

  /// The error for a command that the family's headphones do not have.
  static var unsupported: HeadphoneError { .noCommand(of: Self.name) }
}

/// A serial protocol whose frames a ``FrameReader`` finds, and whose headphone reports its values.
protocol FramedProtocol: SerialProtocol, ReportingProtocol {
  /// The reader that divides the stream into frames.
  var reader: FrameReader { get set }
}

extension FramedProtocol {
  /// The frames that are complete, wherever the received pieces begin and end.
  public mutating func messages(in value: Bytes) -> [Bytes] { reader.messages(in: value) }
}
