internal import BluetoothCodec

/// A protocol whose headphone reports its values in frames that tell which request they answer.
protocol ReportingProtocol: HeadphoneProtocol {
  var reported: ReportedValues { get set }

  /// The modes to offer if the headphone has reported noise control.
  var ancModes: [ANCMode] { get }

  /// Applies the values of one frame to ``reported``.
  ///
  /// - Parameter message: receives the requests that the frame answers and the reply to it. Both
  ///   are set before anything is thrown, since a malformed value answers its request, too.
  mutating func apply(_ frame: Frame, to message: inout ParsedMessage) throws(MalformedBytes)
}

extension ReportingProtocol {
  var ancModes: [ANCMode] { [.off, .noiseCancelling, .transparency] }

  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.hasNoise { able.ancModes = ancModes }
    return able
  }

  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    parsed(value) { me, message throws(MalformedBytes) in
      try me.apply(try Frame(decoding: value), to: &message)
    }
  }

  /// Returns the outcome of a message, with the changes that it reports.
  ///
  /// - Parameter parse: applies the values to ``reported`` as it reads them; if it throws, the
  ///   values read before remain applied.
  mutating func parsed(
    _ value: Bytes,
    _ parse: (inout Self, inout ParsedMessage) throws(MalformedBytes) -> Void
  ) -> ParsedMessage {
    var message = ParsedMessage()
    do throws(MalformedBytes) { try parse(&self, &message) } catch { reported.reject(error) }
    message.events += reported.takeEvents(of: value)
    return message
  }

  /// Applies one part of a message; an invalid part does not affect the others.
  mutating func isolating(_ parse: (inout Self) throws(MalformedBytes) -> Void) {
    do throws(MalformedBytes) { try parse(&self) } catch { reported.reject(error) }
  }

  /// Confirms a command by the value that the headphone has reported since.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    return []
  }

  static var unsupported: HeadphoneError { .noCommand(of: Self.name) }
}

/// A serial protocol whose frames are found by a ``FrameReader``.
protocol FramedProtocol: SerialProtocol, ReportingProtocol {
  var reader: FrameReader { get set }
}

extension FramedProtocol {
  public mutating func messages(in value: Bytes) -> [Bytes] { reader.messages(in: value) }
}
