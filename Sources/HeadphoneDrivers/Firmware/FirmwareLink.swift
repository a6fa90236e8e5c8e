public import BluetoothCodec
public import HeadphoneProtocols

/// What an update needs of a link that is ready.
public protocol FirmwareLink: Sendable {
  /// The link's capabilities, with a fresh read of the firmware revision.
  func describe() async throws(HeadphoneError) -> FirmwareUpdate.Link

  /// Carries out a command; gives the response's data without its status.
  func perform(_ request: FirmwareRequest) async throws(HeadphoneError) -> Bytes

  /// Writes a frame to FFF5; returns when the local buffer has taken it.
  func write(_ frame: FirmwareFrame) async throws(HeadphoneError)

  /// Event 0x08, in order; finishes when the link ends.
  ///
  /// A single consumer.
  var acknowledgements: AsyncStream<FirmwareAcknowledgement> { get }
}
