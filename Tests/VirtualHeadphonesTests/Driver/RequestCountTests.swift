import GATT
import Headphones
import TestSupport
import Testing
import VirtualHeadphones

/// Round trips cost one or two connection intervals each: few are needed until ready.
@Suite struct RequestCountTests {
  @Test func `cold takes at most twelve requests`() async throws {
    for model in [VirtualModel.aurora, .drift] {
      let (listener, description) = try await Listener.started(model)
      #expect(description.requests <= 12)
      #expect(description.requests == 8)
      await listener.driver.client.close()
    }
  }

  @Test func `a cache proved by the hash takes at most five`() async throws {
    let phone = Phone()
    let cold = try await Listener(phone)
    _ = try await cold.driver.start()
    let cache = try #require(await cold.driver.client.cache)
    await cold.driver.client.close()
    let warm = try await Listener(phone, cache: cache)
    let description = try await warm.driver.start()
    #expect(description.requests <= 5)
    #expect(description.requests == 4)
    #expect(description.capabilities.eqBands == 8)
    await warm.driver.client.close()
  }

  @Test func `a bond and a cache take two`() async throws {
    for model in [VirtualModel.aurora, .cipher] {
      let phone = Phone(model)
      let cold = try await Listener(phone)
      _ = try await cold.driver.start()
      try await cold.driver.client.bearer.raiseSecurity(to: .medium)
      let cache = try #require(await cold.driver.client.cache)
      await cold.driver.client.close()
      let bonded = try await Listener(phone, cache: cache, isBonded: true)
      let description = try await bonded.driver.start()
      #expect(description.requests == 2)
      #expect(description.information.model == model.information.model)
      #expect(await bonded.told().contains(.ancChanged(.noiseCancelling)))
      await bonded.driver.client.close()
    }
  }

  @Test func `a headphone that forgot the subscription is subscribed again`() async throws {
    let phone = Phone()
    let cold = try await Listener(phone)
    _ = try await cold.driver.start()
    let cache = try #require(await cold.driver.client.cache)
    await cold.driver.client.close()
    let listener = try await Listener(phone, cache: cache, isBonded: true)
    let start = Task { [driver = listener.driver] in try await driver.start() }
    await listener.clock.sleepers(1)
    listener.clock.advance(by: .seconds(2))
    #expect(try await start.value.capabilities.eqBands == 8)
    #expect(await listener.told().contains(.ancChanged(.noiseCancelling)))
    await listener.driver.client.close()
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
    #expect(try await warm.driver.start().requests == 8)
    try await warm.driver.perform(.setANC(.off))
    #expect(await phone.headphone.snapshot.anc == .off)
    await warm.driver.client.close()
  }
}
