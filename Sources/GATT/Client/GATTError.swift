public import Bluetooth
public import BluetoothCodec

/// Why a GATT procedure did not end well; never an empty value in its place.
public enum GATTError: Error, Hashable, Sendable {
  /// The server answered with an error: its request opcode, attribute handle and code.
  case att(ATTErrorResponse)
  /// The server's answer breaks the protocol, though the bearer stays usable.
  case unexpectedAnswer(String)
  /// The bearer closed while the procedure waited, or before.
  case closed(BearerClosed)
  /// The characteristic lacks the property that the procedure needs, for example "notify".
  case notSupported(String)
  /// The echo of a reliable write differs from what was sent; nothing was written.
  case writeNotVerified
  /// A value longer than 512 bytes, or than the procedure takes.
  case valueTooLong(count: Int, limit: Int)
  /// Security could not be raised.
  case security(SecurityFailure)
  /// The characteristic is gone: the server has changed its services.
  case servicesChanged
  /// The calling task was cancelled; the bearer stays usable.
  case cancelled
}
