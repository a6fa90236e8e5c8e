internal import BluetoothCodec

protocol ValueReceiver: AnyObject, Sendable {
  /// Takes a value, and returns the number of older values that were dropped to make room.
  func append(_ value: Bytes, isIndication: Bool) -> Int

  /// Ends the values; the error is nil if the owner ended the subscription.
  func end(_ error: GATTError?)
}

/// A receiver that calls a closure on the client's executor while the PDU is received.
final class ValueCallback: ValueReceiver {
  private let receive: @Sendable (Result<Bytes, GATTError>) -> Void

  init(_ receive: @escaping @Sendable (Result<Bytes, GATTError>) -> Void) { self.receive = receive }

  func append(_ value: Bytes, isIndication: Bool) -> Int {
    receive(.success(value))
    return 0
  }

  func end(_ error: GATTError?) { if let error { receive(.failure(error)) } }
}

/// A function's part of the values of a characteristic, wherever the services move.
public struct ValueDelivery: Sendable {
  let receiver: any ValueReceiver
}
