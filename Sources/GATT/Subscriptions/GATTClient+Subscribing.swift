internal import BluetoothCodec

/// Who listens to which value; a part of the client's state.
struct Subscribers: Sendable {
  /// By the value's handle.
  var queues: [UInt16: [ValueQueue]] = [:]
  /// What the server was asked to tell, by the value's handle.
  var enabled: [UInt16: Enabled] = [:]

  /// A characteristic whose configuration is being written, or was.
  struct Enabled: Sendable {
    var characteristic: Characteristic
    var write: Task<Result<Void, GATTError>, Never>
  }

  /// Takes out everybody who listens in a range.
  mutating func takeAll(
    in range: ATTHandleRange
  ) -> [(handle: UInt16, queues: [ValueQueue], wasEnabled: Bool)] {
    queues.keys.filter { range.contains($0) }.sorted().map { handle in
      (
        handle, queues.removeValue(forKey: handle) ?? [],
        enabled.removeValue(forKey: handle) != nil
      )
    }
  }

  /// Takes out a queue; gives back its handle if it was the last one there.
  mutating func remove(_ queue: ValueQueue) -> UInt16? {
    guard let handle = queues.first(where: { $0.value.contains { $0 === queue } })?.key else {
      return nil
    }
    queues[handle]?.removeAll { $0 === queue }
    guard queues[handle]?.isEmpty == true else { return nil }
    queues[handle] = nil
    return handle
  }
}

extension GATTClient {
  /// Listens to a value without asking the server to tell it.
  ///
  /// For a bonded server that keeps what was configured in an earlier connection; to be called
  /// before the first request, so that nothing is missed.
  public func values(of handle: UInt16) -> Subscription {
    let queue = ValueQueue(capacity: options.subscriptionCapacity)
    if let closed = engine.closed { queue.end(.closed(closed)) }
    subscribers.queues[handle, default: []].append(queue)
    return Subscription(handle: handle, values: queue)
  }

  /// Asks the server to tell a value: by notifications, or by indications if there are only those.
  ///
  /// Costs one request (Write Request to the client configuration), none for a further subscriber,
  /// and one more where the configuration's handle is neither known nor can be inferred.
  ///
  /// - Throws: `notSupported` where the characteristic cannot notify or indicate.
  public func subscribe(
    to characteristic: Characteristic
  ) async throws(GATTError) -> Subscription {
    let subscription = values(of: characteristic.handle)
    do throws(GATTError) {
      try await enable(characteristic)
    } catch {
      _ = subscribers.remove(subscription.values)
      subscription.values.end(error)
      throw error
    }
    return subscription
  }

  /// Ends a subscription; the last one of a value also tells the server.
  public func unsubscribe(_ subscription: Subscription) async throws(GATTError) {
    subscription.values.end(nil)
    guard let handle = subscribers.remove(subscription.values),
      let enabled = subscribers.enabled.removeValue(forKey: handle)
    else { return }
    try await configure(enabled.characteristic, [0, 0])
  }

  /// Asks the server to tell a value, without waiting for the answer.
  ///
  /// The request has been handed over when this returns, unless others are before it or the
  /// configuration's handle has to be looked up; what is sent next reaches the server behind it.
  /// For values that are listened to already (``values(of:)``).
  ///
  /// - Returns: what becomes of it.
  /// - Throws: `notSupported` where the characteristic cannot notify or indicate, or cannot be
  ///   asked.
  public func ask(
    for characteristic: Characteristic
  ) throws(GATTError) -> Task<Result<Void, GATTError>, Never> {
    guard let configuration = characteristic.properties.configuration else {
      throw .notSupported("notify or indicate")
    }
    let handle = characteristic.handle
    if let asked = subscribers.enabled[handle] { return asked.write }
    // Thrown here, so that the task below has at least one request to wait for.
    if let known = characteristic.descriptors,
      !known.contains(where: { $0.uuid == .clientConfiguration })
    {
      throw .notSupported("client characteristic configuration")
    }
    // Outside of the caller's task: others may wait for the same write.
    let write = Task.immediate { () -> Result<Void, GATTError> in
      do throws(GATTError) {
        try await configure(characteristic, configuration)
        return .success(())
      } catch {
        subscribers.enabled[handle] = nil
        return .failure(error)
      }
    }
    subscribers.enabled[handle] = Subscribers.Enabled(characteristic: characteristic, write: write)
    return write
  }

  /// Lets the server tell a value, unless that is so already.
  func enable(_ characteristic: Characteristic) async throws(GATTError) {
    try await ask(for: characteristic).value.get()
  }

  /// Writes the client characteristic configuration (Core 5.4, Vol 3, Part G, 3.3.3.3).
  private func configure(
    _ characteristic: Characteristic, _ configuration: [UInt8]
  ) async throws(GATTError) {
    let type = BluetoothUUID.clientConfiguration
    var known = characteristic
    if known.descriptors == nil {
      known.descriptors = try await discoverDescriptors(of: [characteristic])[characteristic.handle]
    }
    guard let descriptor = known.descriptor(type) else {
      throw .notSupported("client characteristic configuration")
    }
    try await write(Bytes(configuration), to: descriptor.handle)
  }

  // MARK: Values that arrive

  func deliver(_ value: ATTHandleValue, isIndication: Bool) {
    if value.handle == databaseState.serviceChangedHandle { serviceChanged(value.value) }
    guard let queues = subscribers.queues[value.handle] else {
      if value.handle != databaseState.serviceChangedHandle {
        options.report?(.unclaimedValue(handle: value.handle))
      }
      return
    }
    for queue in queues {
      let lost = queue.append(value.value, isIndication: isIndication)
      if lost > 0 { options.report?(.valuesLost(handle: value.handle, count: lost)) }
    }
  }

  func endSubscriptions(_ error: GATTError) {
    for queue in subscribers.queues.values.joined() { queue.end(error) }
    subscribers = Subscribers()
  }
}

extension CharacteristicProperties {
  /// The configuration bits to write: notify preferred, indicate where that is all there is.
  fileprivate var configuration: [UInt8]? {
    if contains(.notify) { return [0x01, 0x00] }
    if contains(.indicate) { return [0x02, 0x00] }
    return nil
  }
}
