public import BluetoothCodec

extension GATTClient {
  /// Receives a value without asking the server to send it.
  ///
  /// For a bonded server, which keeps what an earlier connection configured; to be called before
  /// the first request, so that nothing is missed.
  public func values(of handle: UInt16) -> Subscription {
    let queue = ValueQueue(capacity: options.subscriptionCapacity)
    add(queue, at: handle)
    return Subscription(handle: handle, values: queue)
  }

  /// Hands each value to a function, without asking the server to send it.
  ///
  /// Like ``values(of:)``, but without a queue between: the function is called on the client's
  /// executor while the PDU is received, so an actor on that executor takes a value before anything
  /// that arrived later. It must not block.
  ///
  /// - Parameter receive: takes values, and at last why no more follow.
  public func deliverValues(
    of handle: UInt16, to receive: @escaping @Sendable (Result<Bytes, GATTError>) -> Void
  ) {
    add(ValueCallback(receive), at: handle)
  }

  private func add(_ receiver: some ValueReceiver, at handle: UInt16) {
    if let closed { receiver.end(.closed(closed)) }
    subscribers.add([receiver], at: handle)
  }

  /// Asks the server to send a value: by notifications, or by indications if there are only those.
  ///
  /// Costs one request (Write Request to the client configuration), none for a further subscriber,
  /// and one more where the configuration's handle is neither known nor can be inferred.
  ///
  /// - Throws: `notSupported` if the characteristic cannot notify or indicate, and what ends a
  ///   request.
  public func subscribe(
    to characteristic: Characteristic
  ) async throws(GATTError) -> Subscription {
    let subscription = values(of: characteristic.handle)
    try await enable(characteristic, for: subscription.values)
    return subscription
  }

  /// Asks the server to send a value, and hands each to a function.
  ///
  /// - Parameter receive: as of ``deliverValues(of:to:)``.
  /// - Throws: as ``subscribe(to:)``.
  public func subscribe(
    to characteristic: Characteristic,
    deliveringTo receive: @escaping @Sendable (Result<Bytes, GATTError>) -> Void
  ) async throws(GATTError) {
    let receiver = ValueCallback(receive)
    add(receiver, at: characteristic.handle)
    try await enable(characteristic, for: receiver)
  }

  private func enable(
    _ characteristic: Characteristic, for receiver: some ValueReceiver
  ) async throws(GATTError) {
    do throws(GATTError) {
      try await enable(characteristic)
    } catch {
      _ = subscribers.remove(receiver)
      receiver.end(error)
      throw error
    }
  }

  /// Ends a subscription; for the last one of a value the server is asked to stop.
  ///
  /// - Throws: what ends a request; the subscription has ended all the same.
  public func unsubscribe(_ subscription: Subscription) async throws(GATTError) {
    subscription.values.end(nil)
    guard let handle = subscribers.remove(subscription.values),
      let characteristic = subscribers.disable(handle)
    else { return }
    try await configure(characteristic, [0, 0])
  }

  /// Asks the server to send a value, without waiting for the answer.
  ///
  /// The request has been handed over when this returns, unless others are before it or the
  /// configuration's handle has to be looked up; what is sent next reaches the server behind it.
  /// For values that are received already (``values(of:)``).
  ///
  /// - Returns: the outcome of the request.
  /// - Throws: `notSupported` if the characteristic cannot notify or indicate, or has no
  ///   configuration.
  public func ask(
    for characteristic: Characteristic
  ) throws(GATTError) -> Task<Result<Void, GATTError>, Never> {
    try ask(for: characteristic, .full)
  }

  private func ask(
    for characteristic: Characteristic, _ recovery: RequestRecovery
  ) throws(GATTError) -> Job {
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
    let id = subscribers.newID()
    // Outside of the caller's task: others may wait for the same write.
    let write = Job.immediate { () -> Result<Void, GATTError> in
      do throws(GATTError) {
        try await configure(characteristic, configuration, recovery)
        return .success(())
      } catch {
        subscribers.disable(handle, id: id)
        return .failure(error)
      }
    }
    subscribers.enable(
      Subscribers.Enabled(id: id, characteristic: characteristic, write: write))
    return write
  }

  /// Lets the server send a value, unless it does so already.
  func enable(
    _ characteristic: Characteristic, _ recovery: RequestRecovery = .full
  ) async throws(GATTError) {
    try await wait(for: ask(for: characteristic, recovery))
  }

  /// Writes the client characteristic configuration (Core 5.4, Vol 3, Part G, 3.3.3.3).
  private func configure(
    _ characteristic: Characteristic, _ configuration: Bytes, _ recovery: RequestRecovery = .full
  ) async throws(GATTError) {
    var known = characteristic
    if known.descriptors == nil {
      let found = try await discoverDescriptors(of: [characteristic], recovery)
      known.descriptors = found[characteristic.handle]
    }
    guard let descriptor = known.descriptor(.clientConfiguration) else {
      throw .notSupported("client characteristic configuration")
    }
    _ = try await request(.write(handle: descriptor.handle, value: configuration), recovery)
  }

  func deliver(_ value: ATTHandleValue, isIndication: Bool) {
    let isServiceChanged = value.handle == known.serviceChangedHandle
    if isServiceChanged { serviceChanged(value.value) }
    guard let receivers = subscribers.receivers[value.handle] else {
      if !isServiceChanged, !(isIndication && known.keepEarly(value)) {
        options.report?(.unclaimedValue(handle: value.handle))
      }
      return
    }
    for receiver in receivers {
      let lost = receiver.append(value.value, isIndication: isIndication)
      if lost > 0 { options.report?(.valuesLost(handle: value.handle, count: lost)) }
    }
  }

  /// Lets values arrive where the characteristic is now, wherever its handle was before.
  func moveSubscriptions(in range: ATTHandleRange, from before: Database) async {
    // All are taken out before one is put back: the new handle of one may be another's old one.
    var moved: [(characteristic: Characteristic, receivers: [any ValueReceiver])] = []
    for entry in subscribers.removeAll(in: range) {
      guard let path = before.path(of: entry.handle),
        let characteristic = known.database.characteristic(at: path)
      else {
        for receiver in entry.receivers { receiver.end(.servicesChanged) }
        continue
      }
      subscribers.add(entry.receivers, at: characteristic.handle)
      if entry.isEnabled { moved.append((characteristic, entry.receivers)) }
    }
    for (characteristic, receivers) in moved {
      do throws(GATTError) {
        try await enable(characteristic, .withinDiscovery)
      } catch {
        if receivers.isEmpty { try? tolerate(error) }
        for receiver in receivers {
          receiver.end(error)
          _ = subscribers.remove(receiver)
        }
      }
    }
  }
}
