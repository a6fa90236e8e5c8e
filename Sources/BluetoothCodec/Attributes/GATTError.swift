/// The reason why a GATT procedure failed.
///
/// ```swift
/// do throws(GATTError) {
///   try await client.write(value, to: handle)
/// } catch .att(let error) where error.code == .writeNotPermitted {
///   print("read-only")
/// } catch .closed(let closed) {
///   reconnect(after: closed.reason)
/// }
/// ```
public enum GATTError: Error, Hashable, Sendable {
  case att(ATTErrorResponse)
  /// The server's response violates the protocol; the bearer stays usable.
  case unexpectedResponse(String)
  /// A discovery did not end within this number of requests of one kind.
  case listTooLong(ATTOpcode, requests: Int)
  case closed(BearerClosed)
  /// The characteristic lacks the property that the procedure needs, such as "notify".
  case notSupported(String)
  /// The echo of a reliable write differs from what was sent; no value was written.
  case writeNotVerified
  /// The value is longer than 512 bytes or than the procedure allows.
  case valueTooLong(count: Int, limit: Int)
  case security(SecurityFailure)
  /// The server's services changed: the attribute is gone, or its handle has another meaning.
  case servicesChanged
  /// The calling task was cancelled; the bearer stays usable.
  case cancelled
}
