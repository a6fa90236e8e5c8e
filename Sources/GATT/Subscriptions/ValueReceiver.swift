internal import BluetoothCodec

/// A consumer of one characteristic's values.
protocol ValueReceiver: AnyObject, Sendable {
  /// Takes a value.
  ///
  /// - Returns: the number of older values that were dropped to make room.
  func append(_ value: Bytes, isIndication: Bool) -> Int

  /// Ends the values; `nil` if the subscription was ended by its owner.
  func end(_ error: GATTError?)
}

/// A receiver that calls a closure on the client's executor, as a part of receiving the PDU.
final class ValueCallback: ValueReceiver {
  /// The consumer of values, and of the error at the end.
  private let receive: @Sendable (Result<Bytes, GATTError>) -> Void

  /// A receiver for a closure, which must not block.
  init(_ receive: @escaping @Sendable (Result<Bytes, GATTError>) -> Void) { self.receive = receive }

  func append(_ value: Bytes, isIndication: Bool) -> Int {
    receive(.success(value))
    return 0
  }

  func end(_ error: GATTError?) { if let error { receive(.failure(error)) } }
}
