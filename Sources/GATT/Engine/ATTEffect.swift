public import Bluetooth
public import BluetoothCodec

/// A request's name from ``ATTEngine/send(_:as:at:)`` to its completion.
public struct ATTRequestID: Hashable, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Something that an ``ATTEngine`` wants done; in the order of its array.
public enum ATTEffect: Hashable, Sendable {
  /// Send this PDU.
  case transmit(Bytes)
  /// A request has ended; each ends exactly once.
  case complete(ATTRequestID, Result<ATTResponse, GATTError>)
  /// The server told a value; an indication is confirmed already.
  case deliver(ATTHandleValue, isIndication: Bool)
  /// Something to count and to log.
  case report(ATTDiagnostic)
  /// Close the bearer. Every waiter is completed in the same array.
  case close(BearerClosed.Reason)
}
