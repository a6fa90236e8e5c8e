internal import BluetoothCodec
internal import GATT

/// What arrives on the event characteristic.
extension EarshotDriver {
  func listen(to subscription: Subscription) {
    self.subscription = subscription
    Task { await receiveAll(of: subscription) }
  }

  private func receiveAll(of subscription: Subscription) async {
    var values = subscription.makeAsyncIterator()
    do throws(GATTError) {
      while let received = try await values.next(isolation: self) { receive(received) }
    } catch {
      end(HeadphoneError(error))
    }
  }

  private func receive(_ received: ReceivedValue) {
    guard ended == nil else { return }
    if received.lostBefore > 0 {
      emitter.report(.malformed("\(received.lostBefore) events came too fast and are lost"))
    }
    for item in channel.receive(received.value) { take(item) }
    // Nobody asked, so nothing is waited for.
    if channel.isWaiting, !engine.isAwaitingResponse { emit(known: channel.finish()) }
  }

  private func take(_ item: EventChannel.Item) {
    switch item {
    case .event(.firmwareAcknowledged(let acknowledgement)):
      acknowledgementSink.yield(acknowledgement)
    case .event(let event): report(known.receive(event))
    case .packet(let packet): execute(engine.receive(packet, at: timeline.now()))
    case .malformed(let error, let bytes): report(error, bytes)
    }
  }

  func emit(known items: [EventChannel.Item]) {
    for item in items { take(item) }
  }

  func report(_ events: [HeadphoneEvent]) {
    for event in events { emitter.report(event) }
  }

  func report(_ error: MalformedBytes, _ bytes: Bytes) {
    emitter.report(.malformed("\(error): \(hexadecimal(bytes))"))
  }

  /// Listens to single values that notify by themselves, in case no event tells of them.
  func subscribeToValues() async throws(HeadphoneError) {
    guard let map else { return }
    if let anc = map.ancMode {
      try await follow(anc) { driver, value in
        ANCMode(rawValue: value).map { driver.known.noticed($0) }
      }
    }
    if let eq = map.eqPreset {
      try await follow(eq) { driver, value in
        EQPreset(rawValue: value).map { driver.known.noticed($0) }
      }
    }
    for level in map.batteries {
      guard let part = parts[level.handle] else { continue }
      try await follow(level) { driver, value in
        value <= 100 ? driver.known.noticed(level: value, of: part) : nil
      }
    }
  }

  /// Hears a value of one byte; `receive` gives nil for one that makes no sense.
  private func follow(
    _ characteristic: Characteristic,
    _ receive: @escaping @Sendable (isolated EarshotDriver, UInt8) -> [HeadphoneEvent]?
  ) async throws(HeadphoneError) {
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else { return }
    let values = try await gatt { client throws(GATTError) in
      try await client.subscribe(to: characteristic)
    }
    Task {
      var iterator = values.makeAsyncIterator()
      while let received = try? await iterator.next(isolation: self) {
        if let byte = received.value.first, let events = receive(self, byte) {
          report(events)
        } else {
          reportMalformed(received.value, of: characteristic)
        }
      }
    }
  }
}

/// Bytes as people write them in a log: "03 04".
func hexadecimal(_ bytes: Bytes) -> String {
  bytes.map { hexadecimal($0, width: 2) }.joined(separator: " ")
}
