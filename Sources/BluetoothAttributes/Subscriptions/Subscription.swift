public import BluetoothCodec

/// A value from a notification or an indication.
public struct ReceivedValue: Hashable, Sendable {
  /// The value as sent, at most ATT_MTU - 3 bytes, which may be less than the attribute has.
  public var value: Bytes
  public var isIndication: Bool
  /// The number of values dropped just before this one because the subscriber was too slow.
  public var lostBefore: Int

  public init(value: Bytes, isIndication: Bool = false, lostBefore: Int = 0) {
    self.value = value
    self.isIndication = isIndication
    self.lostBefore = lostBefore
  }
}

/// The values of one characteristic, in the order in which the server sent them.
///
/// The sequence is for one consumer. It ends after ``GATTClient/unsubscribe(_:)``, and throws
/// `.closed` when the bearer closes, after earlier values. When the buffer is full, the oldest
/// value is dropped and counted in ``ReceivedValue/lostBefore`` of the next.
///
/// ```swift
/// let levels = try await client.subscribe(to: batteryLevel)
/// for try await level in levels {
///   print(level.value.first ?? 0, "%")
/// }
/// ```
public struct Subscription: AsyncSequence, Sendable {
  public typealias Element = ReceivedValue
  public typealias Failure = GATTError

  /// The handle of the characteristic's value.
  public let handle: UInt16
  let values: ValueQueue

  /// Returns an iterator; a second one shares the values with the first.
  public func makeAsyncIterator() -> Iterator { Iterator(values: values) }

  /// An iterator over the values.
  public struct Iterator: AsyncIteratorProtocol {
    let values: ValueQueue

    /// Waits for the next value, or returns nil at the end or if the task is cancelled.
    ///
    /// - Throws: `GATTError.closed` when the bearer closes, `GATTError.servicesChanged`
    ///   when the characteristic is gone.
    public mutating func next() async throws(GATTError) -> ReceivedValue? {
      try await values.next(isolation: nil)
    }

    /// Waits for the next value in the caller's isolation.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(GATTError) -> ReceivedValue? {
      try await values.next(isolation: actor)
    }
  }
}
