import Bluetooth
import BluetoothCodec
import EventLoop
import GATT
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing

@testable import VirtualHeadphones

/// Headphones on a serial channel of their audio side, behind the same face.
@Suite(.timeLimit(.minutes(1))) struct SerialDriverTests {
  /// A started driver and what it reports.
  private struct Conversation {
    let headphone: VirtualHeadphone
    let radio: VirtualRadio
    let bearer: any Bearer
    let driver: any HeadphoneDriver
    let events: AsyncStream<HeadphoneEvent>

    init(_ model: VirtualModel, clock: any Clock<Duration> = ContinuousClock()) async throws {
      headphone = VirtualHeadphone(model, loop: .shared, clock: ContinuousClock())
      radio = VirtualRadio(headphones: [headphone])
      let address = try #require(model.audioAddress)
      bearer = try await HeadphoneFamily.connectAudioSide(
        of: address, on: radio, timeout: .seconds(1), clock: clock)
      let (emitter, events) = EventEmitter.makeStream()
      self.events = events
      driver = try #require(
        HeadphoneFamily.driver(
          on: bearer, models: ModelCatalog(), clock: clock, emitter: emitter))
    }

    /// All that was reported until the link ends; ends it.
    func reported() async -> [HeadphoneEvent] {
      bearer.close(.user)
      return await events.reduce(into: []) { $0.append($1) }
    }

    func virtual<Headphone: VirtualSerialHeadphone>(_: Headphone.Type) async -> Headphone? {
      guard case .serial(let serial)? = await headphone.family else { return nil }
      return serial.headphone as? Headphone
    }
  }

  @Test func `a headphone of Sony's first generation has what it answers, and takes orders`()
    async throws
  {
    let conversation = try await Conversation(.sonyOverEar)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Sony" && description.information.model == "WH-1000XM4")
    let able = description.capabilities
    #expect(able.ancModes == [.off, .noiseCancelling, .transparency] && able.batteries == [.left])
    #expect(able.ancLevels == 0...20 && able.eqBands == 5 && able.hasVolume)
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.setANCLevel(5))
    try await conversation.driver.perform(.set("speak-to-chat", .toggle(true)))
    try await conversation.driver.perform(.set(.equaliserPreset, .choice("bright")))
    try await conversation.driver.perform(.setVolume(HeadphoneVolume(level: 50, isMuted: false)))
    let sony = try #require(await conversation.virtual(VirtualSony.self))
    #expect(!sony.isOff)
    #expect(sony.values[[0x66, 0x02]] == [1, 2, 0, 1, 0, 5])
    #expect(sony.values[[0xF6, 0x05]] == [1, 1] && sony.values[[0x56, 0x01]]?.first == 0x10)
    let events = await conversation.reported()
    #expect(events.contains(.batteryChanged([.left: Battery(level: 70, isCharging: false)])))
    #expect(events.contains(.ancLevelChanged(5)))
    #expect(!events.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `a headphone of Sony's second generation is asked for what it lists`() async throws {
    let conversation = try await Conversation(.sonyBuds)
    let able = try await conversation.driver.start().capabilities
    #expect(able.batteries == Part.allCases && able.eqBands == 10 && able.ancLevels == 1...20)
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    try await conversation.driver.perform(.set("adaptive-ambient", .toggle(true)))
    try await conversation.driver.perform(.set(.autoPowerOff, .choice("30-minutes")))
    let sony = try #require(await conversation.virtual(VirtualSony.self))
    #expect(!sony.isOff && sony.values[[0x26, 0x05]] == [1, 1])
    #expect(sony.values[[0x66, 0x19]] == [1, 1, 0, 0, 12, 1, 0])
    #expect(
      await conversation.reported().contains(.wearingChanged(Wearing(left: true, right: true))))
  }

  @Test func `Galaxy Buds report all by themselves, and sound while they are not worn`()
    async throws
  {
    let conversation = try await Conversation(.galaxyBuds)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Galaxy Buds" && description.capabilities.hasFind)
    #expect(description.capabilities.batteries == Part.allCases)
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    try await conversation.driver.perform(.setANCLevel(2))
    try await conversation.driver.perform(.find(.left, isOn: true))
    var buds = try #require(await conversation.virtual(VirtualGalaxyBuds.self))
    #expect(buds.state[12] == 1 && buds.state[23] == 2)
    #expect(buds.isSounding && buds.mutes == [0, 1])
    try await conversation.driver.perform(.find(.left, isOn: false))
    // To stop is not confirmed; what is ordered behind it is.
    try await conversation.driver.perform(.setANC(.off))
    buds = try #require(await conversation.virtual(VirtualGalaxyBuds.self))
    #expect(!buds.isSounding)
    #expect(await conversation.reported().contains(.findChanged([])))
  }

  @Test func `the first Galaxy Buds work without confirmations`() async throws {
    let conversation = try await Conversation(.galaxyBuds2019)
    #expect(try await conversation.driver.start().capabilities.ancModes == [.off, .transparency])
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set(.equaliserPreset, .choice("soft")))
    // The order has no confirmation: the next state reports it.
    for await event in conversation.events
    where event == .settingChanged(.equaliserPreset, .choice("soft")) { break }
    conversation.bearer.close(.user)
  }

  @Test func `Bose's headphones are asked which noise control they have`() async throws {
    let conversation = try await Conversation(.bose)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Bose" && description.information.model == "QC45")
    #expect(description.capabilities.ancModes == [.noiseCancelling, .transparency])
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set("treble", .level(-4)))
    let bose = try #require(await conversation.virtual(VirtualBose.self))
    #expect(bose.values[[31, 3]] == [1] && bose.values[[1, 7]]?[10] == 0xFC)
    #expect(await conversation.reported().contains(.settingChanged("treble", .level(-4))))
  }

  @Test func `a channel that another program has is tried once more, and then said`() async throws {
    let first = try await Conversation(.sonyOverEar)
    let clock = ManualClock()
    let address = try #require(first.headphone.model.audioAddress)
    let radio = first.radio
    async let second = HeadphoneFamily.connectAudioSide(
      of: address, on: radio, timeout: .seconds(1), clock: clock)
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(1500))
    do {
      _ = try await second
      Issue.record("two have the channel")
    } catch {
      guard case .busy = error as? RadioError else {
        Issue.record("\(error)")
        return
      }
    }
    // Once the other one has left, the channel is there at the second attempt.
    async let third = HeadphoneFamily.connectAudioSide(
      of: address, on: radio, timeout: .seconds(1), clock: clock)
    await clock.sleepers(1)
    first.bearer.close(.user)
    clock.advance(by: .milliseconds(1500))
    #expect(try await third.closed == nil)
  }

  @Test func `what does not answer in the language is no headphone of the family`() async throws {
    let clock = ManualClock()
    let conversation = try await Conversation(.sonyOverEar, clock: clock)
    await conversation.headphone.stopAnswering()
    let driver = conversation.driver
    async let start = driver.start()
    for _ in 0..<3 {
      await clock.sleepers(1)
      clock.advance(by: .seconds(1))
    }
    do {
      _ = try await start
      Issue.record("silence is an answer")
    } catch {
      #expect(
        error as? HeadphoneError == .notAHeadphone(missing: "answer in the language of Sony"))
    }
  }
}
