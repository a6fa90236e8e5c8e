public import BluetoothCodec

extension GATTClient {
  /// Receives a value without requesting that the server send it.
  ///
  /// A bonded server keeps the configuration of an earlier connection. Call this before the first
  /// request, so that nothing is missed.
  public func values(of handle: UInt16) -> Subscription {
    let queue = ValueQueue(capacity: options.subscriptionCapacity)
    add(queue, at: handle)
    return Subscription(handle: handle, values: queue)
  }

  /// Passes each value to a function, without requesting that the server send it.
  ///
  /// Unlike ``values(of:)``, it has no queue: the function is called on the client's executor while
  /// the PDU is received, before later PDUs. It must not block.
  ///
  /// - Parameter receive: takes values, and finally the reason why no more follow.
  public func deliverValues(
    of handle: UInt16, to receive: @escaping @Sendable (Result<Bytes, GATTError>) -> Void
  ) {
    add(ValueCallback(receive), at: handle)
  }

  private func add(_ receiver: some ValueReceiver, at handle: UInt16) {
    if let closed { receiver.end(.closed(closed)) }
    subscribers.add([receiver], at: handle)
  }

  /// Requests that the server send a value by notifications, or else by indications.
  ///
  /// This takes one request, none for another subscriber, and one more if the handle of the client
  /// configuration is neither known nor can be inferred.
  ///
  /// - Throws: `notSupported` if the characteristic can do neither, and the errors of requests.
  public func subscribe(
    to characteristic: Characteristic
  ) async throws(GATTError) -> Subscription {
    let subscription = values(of: characteristic.handle)
    try await enable(characteristic, for: subscription.values)
    return subscription
  }

  /// Subscribes like ``subscribe(to:)``, but delivers like ``deliverValues(of:to:)``.
  ///
  /// - Returns: the delivery, which ``end(_:)`` ends before the bearer does.
  @discardableResult
  public func subscribe(
    to characteristic: Characteristic,
    deliveringTo receive: @escaping @Sendable (Result<Bytes, GATTError>) -> Void
  ) async throws(GATTError) -> ValueDelivery {
    let receiver = ValueCallback(receive)
    add(receiver, at: characteristic.handle)
    try await enable(characteristic, for: receiver)
    return ValueDelivery(receiver: receiver)
  }

  /// Ends a delivery at once; the server goes on to send the value, for which others may ask.
  public func end(_ delivery: ValueDelivery) { _ = subscribers.remove(delivery.receiver) }

  private func enable(
    _ characteristic: Characteristic, for receiver: some ValueReceiver
  ) async throws(GATTError) {
    do throws(GATTError) {
      try await wait(for: ask(for: characteristic, .full))
    } catch {
      _ = subscribers.remove(receiver)
      throw error
    }
  }

  /// Ends a subscription; after the last one of a value, the server is asked to stop.
  ///
  /// The subscription has ended even if the request throws.
  public func unsubscribe(_ subscription: Subscription) async throws(GATTError) {
    subscription.values.end(nil)
    guard let handle = subscribers.remove(subscription.values),
      let characteristic = subscribers.disable(handle)
    else { return }
    try await configure(characteristic, [0, 0])
  }

  /// Requests that the server send a value, without waiting for the response.
  ///
  /// The request was sent when this returns, unless others wait before it or the handle of the
  /// configuration must be looked up. For values that are already received (``values(of:)``).
  ///
  /// - Throws: `notSupported` if the characteristic can neither notify nor indicate, or has no
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
    // Throw here, so that the task below has at least one request to wait for.
    if let known = characteristic.descriptors,
      !known.contains(where: { $0.uuid == .clientConfiguration })
    {
      throw .notSupported("client characteristic configuration")
    }
    let id = subscribers.newID()
    // Not in the caller's task, because others may wait for the same write.
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

  func enable(
    _ characteristic: Characteristic, _ recovery: RequestRecovery = .full
  ) async throws(GATTError) {
    try await wait(for: ask(for: characteristic, recovery))
  }

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
    let write = ATTRequest.write(handle: descriptor.handle, value: configuration)
    if isGivenUp(write) {
      try await lookUpGuess(of: characteristic, recovery)
      throw omit(write)
    }
    do throws(GATTError) {
      _ = try await request(write, recovery)
    } catch .att(let error) {
      try await lookUpGuess(of: characteristic, recovery)
      throw .att(error)
    }
  }

  /// Looks up a descriptor that was inferred; throws `notSupported` for another type.
  private func lookUpGuess(
    of characteristic: Characteristic, _ recovery: RequestRecovery
  ) async throws(GATTError) {
    guard let range = characteristic.descriptorRange, range.start == range.end else { return }
    let found = try await discoverDescriptors(of: [characteristic], recovery)
    guard found[characteristic.handle]?.first?.uuid == .clientConfiguration else {
      throw .notSupported("client characteristic configuration")
    }
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

  func moveSubscriptions(in range: ATTHandleRange, from before: Database) async {
    // Remove all before adding one, as the new handle of one may be the old handle of another.
    var moved: [(characteristic: Characteristic, receivers: [any ValueReceiver])] = []
    for entry in subscribers.removeAll(in: range) {
      guard let path = before.path(of: entry.handle),
        var characteristic = known.database.characteristic(at: path)
      else {
        for receiver in entry.receivers { receiver.end(.servicesChanged) }
        continue
      }
      subscribers.add(entry.receivers, at: characteristic.handle)
      guard let configured = entry.configured else { continue }
      // What was indicated on purpose is not notified now.
      let common = characteristic.properties.intersection(configured.properties)
      if common.configuration != nil { characteristic.properties = common }
      moved.append((characteristic, entry.receivers))
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
