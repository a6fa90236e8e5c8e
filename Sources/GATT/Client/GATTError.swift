public import Bluetooth
public import BluetoothCodec

/// The reason why a GATT procedure failed; no procedure returns an empty value instead.
public enum GATTError: Error, Hashable, Sendable {
  /// The server answered with an error: its request opcode, attribute handle and code.
  case att(ATTErrorResponse)
  /// The server's answer breaks the protocol, though the bearer stays usable.
  case unexpectedAnswer(String)
  /// A list of attributes did not end within this number of requests of one kind.
  case listTooLong(ATTOpcode, requests: Int)
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
  /// The server has changed its services: the attribute is gone, or its handle means another one.
  case servicesChanged
  /// The calling task was cancelled; the bearer stays usable.
  case cancelled
}
