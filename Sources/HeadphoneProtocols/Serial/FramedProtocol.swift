internal import BluetoothCodec

/// A protocol whose headphone reports its values.
protocol ReportingProtocol: HeadphoneProtocol {
  /// The values that the headphone has reported so far.
  var reported: ReportedValues { get }
}

extension ReportingProtocol {
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

/// A serial protocol whose frames a ``FrameReader`` finds, and whose headphone reports its values.
protocol FramedProtocol: SerialProtocol, ReportingProtocol {
  /// The reader that divides the stream into frames.
  var reader: FrameReader { get set }
}

extension FramedProtocol {
  /// The frames that are complete, wherever the received pieces begin and end.
  public mutating func messages(in value: Bytes) -> [Bytes] { reader.messages(in: value) }
}

/// A framed protocol of one service, in which a frame says by itself what it answers.
///
/// ``receive(_:)`` and what the protocol is opened with are the same for all of them; a protocol
/// adds the meaning of a frame.
protocol PlainFramedProtocol: FramedProtocol {
  /// The makers' own service.
  static var service: BluetoothUUID { get }
  /// The modes of noise control of a headphone that has reported one.
  var ancModes: [ANCMode] { get }

  /// Creates the protocol before anything was asked.
  init()

  /// What is sent back at once; nil: the frame wants no answer.
  func reply(to frame: Frame) -> [UInt8]?

  /// Takes one frame.
  ///
  /// - Parameter response: set to the exchange that the frame answers, before anything is thrown.
  /// - Throws: `MalformedBytes` for a value that cannot be, which answers all the same.
  mutating func events(
    of frame: Frame, response: inout ResponseID?
  ) throws(MalformedBytes) -> [HeadphoneEvent]
}

extension PlainFramedProtocol {
  public static var services: [SerialService] { [SerialService(service)] }

  var ancModes: [ANCMode] { [.off, .noiseCancelling, .transparency] }

  /// Nothing is sent back.
  func reply(to frame: Frame) -> [UInt8]? { nil }

  /// There is one service.
  public init(on service: BluetoothUUID) { self.init() }

  /// By what was reported.
  public var capabilities: Capabilities {
    var able = reported.capabilities
    if reported.noise != nil { able.ancModes = ancModes }
    return able
  }

  /// Takes one frame; commands that are not known are skipped.
  public mutating func receive(_ value: Bytes) -> ParsedMessage {
    var message = ParsedMessage()
    do throws(MalformedBytes) {
      let frame = try Frame(decoding: value)
      message.reply = reply(to: frame)
      message.events = try events(of: frame, response: &message.response)
    } catch {
      message.events = [.malformed(error, value)]
    }
    return message
  }

  /// The error for a command that the family's headphones do not have.
  static var unsupported: HeadphoneError { .noCommand(of: Self.name) }
}
