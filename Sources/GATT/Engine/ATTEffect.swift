public import Bluetooth
public import BluetoothCodec

/// The identity of a request from ``ATTEngine/send(_:as:at:)`` to its completion.
public struct ATTRequestID: Hashable, Sendable {
  /// A number that the engine's owner chooses, different for each request.
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// An action that an ``ATTEngine`` requests; to be carried out in the order of its array.
public enum ATTEffect: Hashable, Sendable {
  /// Send this PDU.
  case transmit(Bytes)
  /// Complete a request; each one is completed exactly once.
  case complete(ATTRequestID, Result<ATTResponse, GATTError>)
  /// Deliver a value that the server sent; an indication is already confirmed.
  case deliver(ATTHandleValue, isIndication: Bool)
  /// Log a diagnostic.
  case report(ATTDiagnostic)
  /// Close the bearer; all requests are completed in the same array.
  case close(BearerClosed.Reason)
}
