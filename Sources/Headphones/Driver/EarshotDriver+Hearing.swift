internal import BluetoothCodec
internal import GATT

/// What arrives on the event characteristic.
extension EarshotDriver {
  func listen(to subscription: Subscription) {
    self.subscription = subscription
    Task { await hearAll(of: subscription) }
  }

  private func hearAll(of subscription: Subscription) async {
    var values = subscription.makeAsyncIterator()
    do throws(GATTError) {
      while let received = try await values.next(isolation: self) { hear(received) }
    } catch {
      end(HeadphoneError(error))
    }
  }

  private func hear(_ received: ReceivedValue) {
    if received.lostBefore > 0 {
      sink.yield(.malformed("\(received.lostBefore) events came too fast and are lost"))
    }
    for item in channel.receive(received.value) { take(item) }
    // Nobody asked, so nothing is waited for.
    if channel.isWaiting, !engine.isAwaitingResponse { emit(known: channel.finish()) }
  }

  private func take(_ item: EventChannel.Item) {
    switch item {
    case .event(let event): tell(known.hear(event))
    case .packet(let packet): carryOut(engine.receive(packet, at: timeline.now()))
    case .malformed(let error, let bytes): tell(error, bytes)
    }
  }

  func emit(known items: [EventChannel.Item]) {
    for item in items { take(item) }
  }

  func tell(_ events: [HeadphoneEvent]) {
    for event in events { sink.yield(event) }
  }

  func tell(_ error: MalformedBytes, _ bytes: Bytes) {
    sink.yield(.malformed("\(error): \(hexadecimal(bytes))"))
  }

  /// Listens to single values, for a headphone that does not tell its state when asked.
  func subscribeToValues() async throws(HeadphoneError) {
    guard let map else { return }
    for level in map.batteries where level.properties.contains(.notify) {
      guard let part = parts[level.handle] else { continue }
      try await follow(level) { driver, value in
        let before = driver.known.batteries[part]?.level
        return value <= 100 && value != before ? driver.known.heard(level: value, of: part) : nil
      }
    }
  }

  /// Hears a value of one byte; `hear` gives nil for what is no news.
  private func follow(
    _ characteristic: Characteristic,
    _ hear: @escaping @Sendable (isolated EarshotDriver, UInt8) -> [HeadphoneEvent]?
  ) async throws(HeadphoneError) {
    let values = try await gatt { client throws(GATTError) in
      try await client.subscribe(to: characteristic)
    }
    Task {
      var iterator = values.makeAsyncIterator()
      while let received = try? await iterator.next(isolation: self) {
        guard let byte = received.value.first, received.value.count == 1 else { continue }
        tell(hear(self, byte) ?? [])
      }
    }
  }
}

/// Bytes as people write them in a log: "03 04".
func hexadecimal(_ bytes: Bytes) -> String {
  bytes.map { hexadecimal($0, width: 2) }.joined(separator: " ")
}
