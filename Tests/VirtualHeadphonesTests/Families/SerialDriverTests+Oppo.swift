import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing

@testable import VirtualHeadphones

/// Headphones of Oppo, Realme and OnePlus.
extension SerialDriverTests {
  @Test func `numbers of Oppo's family mean what they mean on the product`() async throws {
    let conversation = try await Conversation(.realme)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Oppo / Realme / OnePlus")
    #expect(description.information.firmware == "142")
    #expect(description.capabilities.batteries == Part.allCases)
    #expect(description.capabilities.ancModes == [.off, .noiseCancelling, .transparency])
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    try await conversation.driver.perform(.set("cancelling-strength", .choice("deep")))
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    try await conversation.driver.perform(.set(.equaliserPreset, .choice("vocal")))
    try await conversation.driver.perform(.set(.wearDetection, .toggle(false)))
    try await conversation.driver.perform(.set("game-mode", .toggle(true)))
    try await conversation.driver.perform(.set("bass", .level(-5)))
    let oppo = try #require(await conversation.virtual(VirtualOppo.self))
    #expect(oppo.noise == [0x08] && oppo.preset == 2)
    #expect(oppo.switches == [0x04: 0, 0x06: 1, 0x11: 1, 0x1B: 0] && oppo.bass == -5)
    let events = await conversation.reported()
    #expect(events.contains(.wearingChanged(Wearing(left: true, right: true))))
    #expect(
      events.contains(
        .batteryChanged([
          .left: Battery(level: 100, isCharging: false),
          .right: Battery(level: 94, isCharging: true),
          .case: Battery(level: 60, isCharging: false),
        ])))
  }

  @Test func `OnePlus Buds 4 report noise control in other numbers than they are told`()
    async throws
  {
    let conversation = try await Conversation(.onePlus)
    let able = try await conversation.driver.start().capabilities
    #expect(able.ancModes == [.off, .noiseCancelling, .transparency, .adaptive])
    let modes: [ANCMode] = [.off, .transparency, .adaptive]
    for mode in modes { try await conversation.driver.perform(.setANC(mode)) }
    let oppo = try #require(await conversation.virtual(VirtualOppo.self))
    #expect(oppo.noise == [0x00, 0x08])
    let events = await conversation.reported()
    #expect(modes.allSatisfy { events.contains(.ancChanged($0)) })
    #expect(events.contains(.wearingChanged(Wearing(left: true, right: false))))
  }

  @Test func `a strength of cancelling that is not known is left to the headphone`() async throws {
    var model = VirtualModel.onePlus
    var air3Pro = VirtualOppo(product: [0x10, 0x5C, 0x06], levels: [0x64, 0x64, 0x3C])
    // As one was recorded: the number of cancelling brings back the strength that was set last.
    (air3Pro.noise, air3Pro.reports) = ([0x08, 0x00], [[0x02]: [0x10, 0x00]])
    model.family = .serial(VirtualSerial(air3Pro))
    let conversation = try await Conversation(model)
    let able = try await conversation.driver.start().capabilities
    #expect(able.ancModes == [.off, .noiseCancelling, .transparency])
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    #expect(await conversation.virtual(VirtualOppo.self)?.noise == [0x10, 0x00])
    try await conversation.driver.perform(.set("cancelling-strength", .choice("mild")))
    #expect(await conversation.virtual(VirtualOppo.self)?.noise == [0x40])
    let events = await conversation.reported()
    #expect(events.contains(.settingChanged("cancelling-strength", .choice("deep"))))
    #expect(events.contains(.settingChanged("cancelling-strength", .choice("mild"))))
  }

  @Test func `devices of Oppo's headphones are listed where two can be connected, and left alone`()
    async throws
  {
    let conversation = try await Conversation(.realme)
    let able = try await conversation.driver.start().capabilities
    #expect(able.declaration(of: .pairedDevices)?.kind == .pairedDevices([]))
    let phone = VirtualPairedDevices.three.all[1].address
    await #expect(throws: HeadphoneError.unsupported("command to disconnect")) {
      try await conversation.driver.perform(.pairedDevice(.disconnect, phone))
    }
    let lists = await conversation.reported().compactMap { event -> [PairedDevice]? in
      guard case .settingChanged(.pairedDevices, .pairedDevices(let devices)) = event else {
        return nil
      }
      return devices
    }
    #expect(lists.map { $0.map(\.title) } == [["ThinkPad", "Zoë's Pixel", "iPad"]])
    #expect(lists.first?.map(\.isConnected) == [true, true, false])
    #expect(lists.first?.map(\.isPlaying) == [true, false, false])
  }

  @Test func `a product without two connections is not asked for devices`() async throws {
    var model = VirtualModel.realme
    var buds = VirtualOppo(product: [0x12, 0x48, 0x06], levels: [0x64, 0x64, 0x3C])
    buds.switches[0x11] = nil
    model.family = .serial(VirtualSerial(buds))
    let conversation = try await Conversation(model)
    let able = try await conversation.driver.start().capabilities
    #expect(!able.declares(.pairedDevices))
    _ = await conversation.reported()
  }

  @Test func `a product without wear detection has no buds out of the ear`() async throws {
    var model = VirtualModel.realme
    var buds = VirtualOppo(product: [0x12, 0x48, 0x06], levels: [0x64, 0x64, 0x3C])
    (buds.switches[0x04], buds.states) = (nil, [5, 5])
    model.family = .serial(VirtualSerial(buds))
    let conversation = try await Conversation(model)
    _ = try await conversation.driver.start()
    let events = await conversation.reported()
    #expect(!events.contains { if case .wearingChanged = $0 { true } else { false } })
  }

  @Test func `noise control of a product that is not known is neither shown nor ordered`()
    async throws
  {
    var model = VirtualModel.realme
    model.family = .serial(
      VirtualSerial(VirtualOppo(product: [1, 2, 3], levels: [0x64, 0x64, 0])))
    let conversation = try await Conversation(model)
    let able = try await conversation.driver.start().capabilities
    #expect(able.ancModes.isEmpty && able.batteries == [.left, .right])
    await #expect(throws: HeadphoneError.unsupported("noise control mode \"off\"")) {
      try await conversation.driver.perform(.setANC(.off))
    }
    _ = await conversation.reported()
  }

  @Test func `OnePlus Buds Pro are registered with, and asked until they report the new mode`()
    async throws
  {
    let clock = ManualClock()
    let model = VirtualModel.serial(36, "OnePlus Buds Pro", VirtualOppo.budsPro)
    let conversation = try await Conversation(model, clock: clock)
    let description = try await conversation.driver.start()
    #expect(description.information.model == "OnePlus Buds Pro")
    #expect(description.capabilities.ancModes == [.off, .noiseCancelling, .transparency])
    var oppo = try #require(await conversation.virtual(VirtualOppo.self))
    #expect(oppo.registered == oppo.events && oppo.tokens.isEmpty)
    let driver = conversation.driver
    let order = Task { try await driver.perform(.setANC(.noiseCancelling)) }
    await clock.pass(.seconds(2))
    await clock.pass(.milliseconds(1500))
    try await order.value
    try await driver.perform(.set("cancelling-strength", .choice("mild")))
    oppo = try #require(await conversation.virtual(VirtualOppo.self))
    #expect(oppo.noise == [0x04] && oppo.tokens == [[0x00, 0xB5, 0x50, 0xA0, 0x69]])
    let events = await conversation.reported()
    #expect(events.contains(.ancChanged(.noiseCancelling)))
    #expect(events.contains(.settingChanged("cancelling-strength", .choice("mild"))))
  }

  @Test func `buds in the case say so`() async throws {
    var buds = VirtualOppo(product: [0x12, 0x48, 0x06], levels: [0xE4, 0xE4, 0x3C])
    buds.isInCase = true
    let conversation = try await Conversation(.serial(36, "realme Buds Air7", buds))
    _ = try await conversation.driver.start()
    await #expect(
      throws: HeadphoneError.badArgument("both buds are charging or in the case: take one out")
    ) {
      try await conversation.driver.perform(.setANC(.transparency))
    }
    _ = await conversation.reported()
  }
}
