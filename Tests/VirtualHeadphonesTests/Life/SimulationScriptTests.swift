import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

@Suite struct LifeScriptTests {
  private func steps(_ script: SimulationScript, _ count: Int) -> [SimulationScript.Step] {
    var script = script
    return (0..<count).compactMap { _ in script.next() }
  }

  @Test func `the same seed tells the same life`() {
    let first = steps(.generated(seed: 1, .aurora), 200)
    #expect(first.count == 200)
    #expect(first == steps(.generated(seed: 1, .aurora), 200))
    #expect(first != steps(.generated(seed: 2, .aurora), 200))
  }

  @Test(arguments: VirtualModel.environment)
  func `generated life is slow and fits the model`(model: VirtualModel) {
    let life = steps(.generated(seed: 7, model), 500)
    let length = life.reduce(Duration.zero) { $0 + $1.after }
    #expect(length / 500 > .seconds(10))
    let usesCase = life.contains { $0.event == .openLid }
    #expect(usesCase == model.features.contains(.case))
  }

  @Test func `a written script happens at its moments and then nothing wakes`() async throws {
    let script = SimulationScript([
      .init(after: .seconds(10), .takeOut(.left)), .init(after: .seconds(5), .openLid),
    ])
    let phone = Phone(.aurora, script: script)
    let listener = try await Listener(phone)
    _ = try await listener.driver.start()
    _ = await listener.reported()
    await phone.clock.pass(.seconds(10))
    let out = HeadphoneEvent.wearingChanged(Wearing(left: false, right: true))
    #expect(await listener.reported(until: out) == [])
    await phone.clock.pass(.seconds(5))
    #expect(await listener.reported(until: .caseLidChanged(isOpen: true)) == [])
    // Only the next percent of a battery is waited for.
    await phone.clock.sleepers(1)
    #expect(phone.clock.sleeping == 1)
    await listener.driver.client.close()
  }

  @Test func `nothing sleeps while no phone is connected`() async throws {
    let phone = Phone(.aurora, script: .generated(seed: 1, .aurora))
    #expect(phone.clock.sleeping == 0)
    let bearer = try await phone.bearer()
    await phone.clock.sleepers(1)
    await phone.headphone.dropLink()
    await #expect(throws: BearerClosed(.peer)) { try await bearer.receive() }
    #expect(phone.clock.sleeping == 0)
  }

  @Test func `in a quiet environment nothing wakes`() async throws {
    let clock = ManualClock()
    let radio = VirtualRadio.environment(isQuiet: true, loop: Phone.loop, clock: clock)
    for model in VirtualModel.environment {
      let bearer = try await radio.connect(to: model.address, timeout: .seconds(10))
      #expect(clock.sleeping == 0)
      bearer.close(.user)
    }
  }

  @Test func `draining is reported over the air`() async throws {
    let phone = Phone(.aurora)
    let listener = try await Listener(phone)
    _ = try await listener.driver.start()
    _ = await listener.reported()
    await phone.clock.pass(.seconds(3600))
    let reported = await listener.reported(
      until: .batteryChanged([
        .left: Battery(level: 66, isCharging: false),
        .right: Battery(level: 61, isCharging: false),
        .case: Battery(level: 62, isCharging: false),
      ]))
    #expect(reported == [])
    await listener.driver.client.close()
  }
}
