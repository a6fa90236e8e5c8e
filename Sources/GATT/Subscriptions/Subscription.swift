public import BluetoothCodec

/// A value that the server sent in a notification or an indication.
public struct ReceivedValue: Hashable, Sendable {
  /// The value as it was on the air: at most ATT_MTU - 3 bytes.
  public var value: Bytes
  /// Whether it was indicated; the client has confirmed it then.
  public var isIndication: Bool
  /// Values dropped just before this one because the subscriber was too slow; 0 almost always.
  public var lostBefore: Int

  public init(value: Bytes, isIndication: Bool = false, lostBefore: Int = 0) {
    self.value = value
    self.isIndication = isIndication
    self.lostBefore = lostBefore
  }
}

/// The values of one characteristic, in the order in which the server sent them.
///
/// For a single consumer. Ends after ``GATTClient/unsubscribe(_:)``; throws `.closed` when the bearer
/// closes, after all that came before is taken. When the buffer is full the oldest value is
/// dropped, and ``ReceivedValue/lostBefore`` of the next one says so.
public struct Subscription: AsyncSequence, Sendable {
  public typealias Element = ReceivedValue
  public typealias Failure = GATTError

  /// The characteristic value's handle.
  public let handle: UInt16
  let values: ValueQueue

  public func makeAsyncIterator() -> Iterator { Iterator(values: values) }

  /// Iterates over the values.
  public struct Iterator: AsyncIteratorProtocol {
    let values: ValueQueue

    /// Waits for the next value.
    ///
    /// - Returns: nil after the subscription's end, and in a cancelled task.
    /// - Throws: ``GATTError/closed(_:)`` when the bearer closes, ``GATTError/servicesChanged``
    ///   when the characteristic is gone.
    public mutating func next() async throws(GATTError) -> ReceivedValue? {
      try await values.next(isolation: nil)
    }

    /// Waits for the next value in the caller's isolation.
    ///
    /// - Returns: nil after the subscription's end, and in a cancelled task.
    /// - Throws: as ``next()``.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(GATTError) -> ReceivedValue? {
      try await values.next(isolation: actor)
    }
  }
}
