import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Configuration
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// AirPods on the link of their BR/EDR side.
@Suite struct AACPDriverTests {
  private struct Conversation {
    let phone: Phone
    let bearer: any Bearer
    let driver: any HeadphoneDriver
    let emitter: EventEmitter
    let events: HeadphoneEvents
    let clock = ManualClock()

    init(_ model: VirtualModel = .airPodsHere) async throws {
      phone = Phone(model)
      let address = try #require(model.audioAddress)
      bearer = try await phone.radio.connect(
        to: address, psm: AACPPacket.psm, timeout: .seconds(10))
      (emitter, events) = EventEmitter.makeEvents()
      driver = try #require(
        HeadphoneFamily.driver(on: bearer, clock: clock, emitter: emitter))
    }

    func reported() async -> [HeadphoneEvent] {
      bearer.close(.user)
      return await events.reduce(into: []) { $0.append($1) }
        .filter { if case .starting = $0 { false } else { true } }
    }
  }

  private static func model(_ change: (inout VirtualAirPods) -> Void) -> VirtualModel {
    var model = VirtualModel.airPodsHere
    guard case .airPods(var airPods, let proximity) = model.family else { return model }
    change(&airPods)
    model.family = .airPods(airPods, proximity: proximity)
    return model
  }

  @Test func `AirPods are read and changed, and every change is reported once`() async throws {
    let conversation = try await Conversation()
    #expect(conversation.bearer.channel == .classic(psm: 0x1001))
    let description = try await conversation.driver.start()
    #expect(description.driver == "AirPods / Beats" && description.mtu == nil)
    #expect(description.information.model == "A3056")
    #expect(description.capabilities.ancModes == ANCMode.allCases)
    // The mode is repeated, and the strength is taken before it.
    try await conversation.driver.perform(.setANCLevel(80))
    try await conversation.driver.perform(.setANC(.adaptive))
    guard case .airPods(let airPods, _) = await conversation.phone.headphone.family else { return }
    #expect(airPods.noise == 4 && airPods.strength == 80)
    let events = await conversation.reported()
    #expect(events.prefix(2) == [.ancChanged(.noiseCancelling), .ancLevelChanged(50)])
    let settings = events.compactMap { if case .settingChanged(let id, _) = $0 { id } else { nil } }
    #expect(settings.count == AACPDriverTests.settings && Set(settings).count == settings.count)
    #expect(
      events.suffix(5) == [
        .batteryChanged([
          .right: Battery(level: 64, isCharging: false),
          .left: Battery(level: 71, isCharging: false), .case: Battery(level: 38, isCharging: true),
        ]),
        .settingChanged("primary-bud", .text("right")),
        .wearingChanged(Wearing(left: true, right: true)),
        .ancLevelChanged(80), .ancChanged(.adaptive),
      ])
  }

  /// The number of settings of the virtual AirPods' controls, and the primary bud.
  private static let settings = 26

  @Test func `a switch that is reported after the start is described then`() async throws {
    let conversation = try await Conversation(
      Self.model { $0.controls = [0x28: [2, 0, 0, 0]] })
    _ = try await conversation.driver.start()
    await conversation.phone.headphone.sendPDU([4, 0, 4, 0, 9, 0, 0x1B, 1, 0, 0, 0])
    try await conversation.driver.perform(.setANC(.off))
    let described = await conversation.reported().compactMap {
      if case .described(let description) = $0 {
        description.capabilities.settings.map(\.id)
      } else {
        nil
      }
    }
    #expect(
      described == [["conversation-awareness", "primary-bud", "one-bud-noise-control"]])
  }

  @Test func `a press that is to be reported is a gesture, and speech is reported`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    try await conversation.driver.perform(.set("report-double-tap", .toggle(true)))
    try await conversation.driver.perform(.set("report-hold", .toggle(true)))
    await conversation.phone.headphone.sendPDU([4, 0, 4, 0, 0x19, 0, 6, 2])
    await conversation.phone.headphone.sendPDU([4, 0, 4, 0, 0x4B, 0, 2, 0, 1, 9])
    try await conversation.driver.perform(.setANC(.off))
    guard case .airPods(let airPods, _) = await conversation.phone.headphone.family else { return }
    #expect(airPods.controls[0x39]?.first == 0x0A)
    let events = await conversation.reported()
    #expect(events.contains(.touchUsed(.right, .doubleTap)))
    #expect(events.contains(.speechChanged(.ended)))
  }

  @Test func `a second reading greets nobody, and keeps what was reported`() async throws {
    let conversation = try await Conversation()
    let able = try await conversation.driver.start().capabilities
    try await conversation.driver.refresh()
    try await conversation.driver.perform(.setANC(.transparency))
    let events = await conversation.reported()
    #expect(events.contains(.ancChanged(.transparency)))
    for case .described(let description) in events {
      #expect(description.capabilities == able)
    }
  }

  @Test func `what is not repeated is done once it is written`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    // Nobody advances the clock.
    try await conversation.driver.perform(.setANCLevel(20))
    try await conversation.driver.perform(.set("optimised-charging", .toggle(true)))
    try await conversation.driver.perform(.setANC(.transparency))
    guard case .airPods(let airPods, _) = await conversation.phone.headphone.family else { return }
    #expect(airPods.strength == 20 && airPods.controls[0x3B]?.first == 1)
    let events = await conversation.reported()
    #expect(events.contains(.ancLevelChanged(20)))
    #expect(events.contains(.settingChanged("optimised-charging", .toggle(true))))
  }

  @Test func `"off" without an echo is asked for again, and then no mode of these`() async throws {
    let conversation = try await Conversation(Self.model { $0.missing = [1] })
    _ = try await conversation.driver.start()
    let driver = conversation.driver
    let outcome = Task { await driver.failure(of: .setANC(.off)) }
    for _ in 0..<2 {
      await conversation.clock.pass(.seconds(2))
    }
    guard case .badArgument(let words)? = await outcome.value else {
      Issue.record("it is refused in words")
      return
    }
    #expect(words.contains("do not allow \"off\""))
    // The link is there, and takes what the headphone does take.
    try await conversation.driver.perform(.setANC(.transparency))
    #expect(await !conversation.reported().contains(.ancChanged(.off)))
  }

  @Test func `what says nothing after the link is up is no such headphone`() async throws {
    let conversation = try await Conversation()
    await conversation.phone.headphone.stopResponding()
    let driver = conversation.driver
    let outcome = Task { await driver.failureOfStart() }
    for _ in 0..<2 {
      await conversation.clock.pass(.seconds(1))
    }
    #expect(
      await outcome.value == .notAHeadphone(missing: "answer in the protocol of AirPods / Beats"))
    #expect(await conversation.reported() == [])
  }

  @Test func `garbage is reported, and the link is kept`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    await conversation.phone.headphone.sendPDU([0x55, 0xAA])
    try await conversation.driver.perform(.setANC(.off))
    #expect(
      await conversation.reported().contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `the end of the link ends what waits`() async throws {
    let conversation = try await Conversation(Self.model { $0.missing = [1] })
    _ = try await conversation.driver.start()
    let driver = conversation.driver
    let outcome = Task { await driver.failure(of: .setANC(.off)) }
    await conversation.clock.sleepers(1)
    await conversation.phone.headphone.dropLink(.supervisionTimeout)
    #expect(await outcome.value == .closed(BearerClosed(.supervisionTimeout)))
    _ = await conversation.reported()
  }

  @Test func `they advertise, and are on the audio side, at the same time`() async throws {
    let phone = Phone(.airPodsHere)
    let options = ScanOptions(
      services: FamilyAdvertisements.services, patterns: FamilyAdvertisements.patterns,
      duration: nil)
    var products: Set<ProductID> = []
    var models: Set<UInt16> = []
    for try await peripheral in phone.radio.scan(options) {
      if let product = peripheral.product { products.insert(product) }
      if let proximity = ProximityAdvertisement(peripheral.data, .bundled) {
        models.insert(proximity.model)
      }
      if !products.isEmpty, !models.isEmpty { break }
    }
    #expect(products == [ProductID(vendor: 0x004C, product: 0x201B)] && models == [0x201B])
  }

  @Test func `attributes are not spoken there, nor packets on another channel`() async throws {
    let phone = Phone(.airPodsHere)
    await #expect(throws: RadioError.refused) { try await phone.connect() }
    let address = try #require(phone.headphone.model.audioAddress)
    await #expect(throws: RadioError.refused) {
      try await phone.radio.connect(to: address, psm: 0x1003, timeout: .seconds(1))
    }
  }
}

extension HeadphoneDriver {
  /// Returns why a command failed, or nil if it succeeded.
  fileprivate func failure(of command: HeadphoneCommand) async -> HeadphoneError? {
    do throws(HeadphoneError) {
      try await perform(command)
      return nil
    } catch {
      return error
    }
  }

  fileprivate func failureOfStart() async -> HeadphoneError? {
    do throws(HeadphoneError) {
      _ = try await start()
      return nil
    } catch {
      return error
    }
  }
}
