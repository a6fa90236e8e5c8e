import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import HeadphoneDrivers
import HeadphoneProtocols
import Locking
import TestSupport
import Testing
import VirtualHeadphones

/// Round trips cost one or two connection intervals each, so the start must need few.
@Suite struct RequestCountTests {
  @Test func `cold takes at most twelve requests`() async throws {
    for model in [VirtualModel.aurora, .drift] {
      let (listener, description) = try await Listener.started(model)
      #expect(description.requests <= 12)
      #expect(description.requests == 8)
      await listener.driver.client.close()
    }
  }

  @Test func `information is read while a command waits for its response`() async throws {
    let listener = try await Listener(Phone())
    await listener.phone.headphone.injectFaults { $0.commands = .never }
    let start = Task { [driver = listener.driver] in try await driver.start() }
    // The clock stands still, so the first command never times out.
    while await listener.driver.client.requestCount < 8 { await Task.yield() }
    await listener.driver.client.close()
    await #expect(throws: HeadphoneError.self) { try await start.value }
  }

  /// Commands and notifications, recorded as arrows.
  private final class Arrows: BearerObserver {
    let drawn = Mutex("")

    func sent(_ pdu: Bytes) {
      if pdu.first == ATTOpcode.writeCommand.rawValue { drawn.withLock { $0 += "→" } }
    }

    func received(_ pdu: Bytes) {
      if pdu.first == ATTOpcode.notification.rawValue { drawn.withLock { $0 += "←" } }
    }
  }

  @Test(arguments: [(1, "→←→←→←"), (2, "→←→→←←")] as [(UInt8, String)])
  func `state and equaliser are asked for at once where two commands may wait`(
    window: UInt8, expected: String
  ) async throws {
    var model = VirtualModel.aurora
    model.window = window
    let (phone, arrows) = (Phone(model), Arrows())
    let bearer = ObservedBearer(try await phone.bearer(), by: arrows)
    let (emitter, events) = EventEmitter.makeEvents()
    let driver = GATTDriver(
      client: GATTClient(bearer: bearer, clock: phone.requestClock), forced: .earshot,
      clock: ManualClock(), emitter: emitter)
    #expect(try await driver.start().capabilities.eqBands == 8)
    #expect(arrows.drawn.withLock { $0 } == expected)
    await driver.client.close()
    withExtendedLifetime(events) {}
  }

  @Test func `a cache proved by the hash takes at most five`() async throws {
    let phone = Phone()
    let cold = try await Listener(phone)
    _ = try await cold.driver.start()
    let cache = try #require(await cold.driver.client.cache)
    await cold.driver.client.close()
    let warm = try await Listener(phone, cache: cache)
    let description = try await warm.driver.start()
    #expect(description.requests == 3)
    while await !phone.headphone.isWatched { await Task.yield() }
    #expect(await warm.driver.client.requestCount == 5)
    #expect(description.capabilities.eqBands == 8)
    await warm.driver.client.close()
  }

  /// Connects once, and then again with the keys of both ends, or of the phone alone.
  private func bonded(
    _ model: VirtualModel, remembers: Bool
  ) async throws -> (Listener, HeadphoneDescription) {
    let phone = Phone(model)
    let cold = try await Listener(phone)
    _ = try await cold.driver.start()
    if remembers { try await cold.driver.client.bearer.raiseSecurity(to: .medium) }
    try await cold.driver.client.watchForServiceChanges()
    let cache = try #require(await cold.driver.client.cache)
    await cold.driver.client.close()
    let again = try await Listener(phone, cache: cache, isBonded: true)
    return (again, try await again.driver.start())
  }

  @Test(
    arguments: [
      (VirtualModel.aurora, true, 2), (.cipher, true, 2),
      // It has the cache believed, and forgets what was subscribed.
      (.aurora, false, 3),
    ])
  func `a bond and a cache take two, and no time`(
    model: VirtualModel, remembers: Bool, requests: Int
  ) async throws {
    // Nobody moves the driver's clock: a wait for an answer that never comes would never end.
    let (bonded, description) = try await bonded(model, remembers: remembers)
    #expect(description.requests == requests)
    if remembers {
      try await bonded.driver.client.watchForServiceChanges()
      #expect(await bonded.driver.client.requestCount == requests)
    }
    #expect(description.information.model == model.information.model)
    #expect(description.capabilities.batteries.isEmpty == false)
    #expect(await bonded.reported().contains(.ancChanged(.noiseCancelling)))
    await bonded.driver.client.close()
  }

  @Test func `a stale cache is not used`() async throws {
    let phone = Phone()
    let cold = try await Listener(phone)
    _ = try await cold.driver.start()
    let cache = try #require(await cold.driver.client.cache)
    await cold.driver.client.close()
    await phone.headphone.replaceServices { services in
      services.map { service in
        var service = service
        if service.uuid == ControlService.short.service { service.firstHandle = 0x100 }
        return service
      }
    }
    let warm = try await Listener(phone, cache: cache)
    // One more than cold: the proof that fails.
    #expect(try await warm.driver.start().requests == 9)
    try await warm.driver.perform(.setANC(.off))
    #expect(await phone.headphone.snapshot.anc == .off)
    await warm.driver.client.close()
  }
}
