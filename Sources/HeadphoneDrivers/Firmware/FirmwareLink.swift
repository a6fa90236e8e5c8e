public import BluetoothCodec
public import HeadphoneProtocols

/// The parts of a ready link that an update needs.
///
/// A driver that supports updates returns one from `firmwareLink`; it is valid until the link ends.
/// The virtual headphone's tests implement it, too.
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
