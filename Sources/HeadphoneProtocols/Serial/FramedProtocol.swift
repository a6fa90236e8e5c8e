internal import BluetoothCodec

/// A serial protocol whose frames a ``FrameReader`` finds, and whose headphone reports its values.
protocol FramedProtocol: SerialProtocol {
  /// The reader that divides the stream into frames.
  var reader: FrameReader { get set }
  /// The values that the headphone has reported so far.
  var reported: ReportedValues { get }
}

extension FramedProtocol {
  /// The frames that are complete, wherever the received pieces begin and end.
  public mutating func messages(in value: Bytes) -> [Bytes] { reader.messages(in: value) }

  /// Confirms a command by the value that the headphone has reported since.
  ///
  /// - Throws: the headphone's refusal, or `unsupported` if it reports another value.
  public mutating func accepted(
    _ command: HeadphoneCommand
  ) throws(HeadphoneError) -> [HeadphoneEvent] {
    try reported.confirm(command)
    return []
  }
}
