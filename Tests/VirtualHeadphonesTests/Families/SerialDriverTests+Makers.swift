import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing

@testable import VirtualHeadphones

/// Peculiarities of makers.
extension SerialDriverTests {
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
    try await conversation.driver.perform(.set("voice-guide", .toggle(false)))
    try await conversation.driver.perform(.set("touch-panel", .toggle(false)))
    try await conversation.driver.perform(.set("speak-to-chat-end", .choice("long")))
    try await conversation.driver.perform(.setVolume(HeadphoneVolume(level: 50, isMuted: false)))
    let sony = try #require(await conversation.virtual(VirtualSony.self))
    #expect(!sony.isOff)
    #expect(sony.values[[0x66, 0x02]] == [1, 2, 0, 1, 0, 5])
    #expect(sony.values[[0xD6, 0xD1]] == [1, 0] && sony.values[[0xD6, 0xD2]] == [1, 1])
    #expect(sony.values[[0xFA, 0x05]] == [0, 0, 0, 2])
    #expect(sony.values[[0xF6, 0x05]] == [1, 1] && sony.values[[0x56, 0x01]]?.first == 0x10)
    let events = await conversation.reported()
    #expect(events.contains(.batteryChanged([.left: Battery(level: 70, isCharging: false)])))
    #expect(events.contains(.ancLevelChanged(5)))
    #expect(!events.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `an alert of Sony's says why a command is not carried out, and is answered no`()
    async throws
  {
    let conversation = try await Conversation(
      Self.sony { $0.alerting = [[0x58, 0x01]] })
    _ = try await conversation.driver.start()
    // Nobody advances the clock: the alert is the answer.
    await #expect(throws: Self.needsStability) {
      try await conversation.driver.perform(.set(.equaliserPreset, .choice("bright")))
    }
    try await conversation.driver.perform(.setANC(.transparency))
    let sony = try #require(await conversation.virtual(VirtualSony.self))
    #expect(sony.received.filter { $0.first == 0x98 } == [[0x98, 0x01, 0x01, 0x00]])
    #expect(sony.received.count { $0.first == 0x58 } == 1)
    _ = await conversation.reported()
  }

  private static let needsStability = HeadphoneError.badArgument(
    "the headphone takes it only where its connection prefers stability to quality (no LDAC)")

  private static func sony(_ change: (inout VirtualSony) -> Void) -> VirtualModel {
    var sony = VirtualSony.overEar
    change(&sony)
    return .serial(11, "WH-1000XM4", sony)
  }

  @Test func `a question that a headphone never answers is asked once a link`() async throws {
    let conversation = try await Conversation(
      Self.sony { $0.values[[0xF6, 0x03]] = nil })
    let driver = conversation.driver
    _ = try await driver.start()
    for _ in 0..<3 { try await driver.refresh() }
    let sony = try #require(await conversation.virtual(VirtualSony.self))
    #expect(sony.received.count { $0 == [0xF6, 0x03] } == 1)
    #expect(sony.received.count { $0 == [0x66, 0x02] } == 4)
    _ = await conversation.reported()
  }

  @Test func `a question whose answer comes unasked is asked again`() async throws {
    let conversation = try await Conversation(
      Self.sony { $0.values[[0xF6, 0x03]] = nil })
    let driver = conversation.driver
    _ = try await driver.start()
    let report = SonyFrame(.command, sequence: 0, payload: [0xF7, 0x03, 0, 1]).encoded()
    await conversation.headphone.sendPDU(report[...])
    try await driver.perform(.setANC(.transparency))
    try await driver.refresh()
    let sony = try #require(await conversation.virtual(VirtualSony.self))
    #expect(sony.received.count { $0 == [0xF6, 0x03] } == 2)
    _ = await conversation.reported()
  }

  @Test func `a command that is answered after a second is written once`() async throws {
    let clock = ManualClock()
    let conversation = try await Conversation(
      Self.sony { $0.ignored = [[0x68, 0x02]] }, clock: clock)
    let driver = conversation.driver
    _ = try await driver.start()
    // The virtual headphone moves the clock by a second where it does not answer.
    let command = Task { try await driver.perform(.setANC(.transparency)) }
    while await conversation.virtual(VirtualSony.self)?.received.last?.first != 0x68 {
      await Task.yield()
    }
    let report = SonyFrame(
      .command, sequence: 0, payload: [0x69, 0x02, 0x01, 0x02, 0x00, 0x01, 0x00, 0x05]
    ).encoded()
    await conversation.headphone.sendPDU(report[...])
    try await command.value
    let sony = try #require(await conversation.virtual(VirtualSony.self))
    #expect(sony.received.count { $0.first == 0x68 } == 1)
    _ = await conversation.reported()
  }

  @Test func `a headphone of Sony's second generation is asked for what it lists`() async throws {
    let conversation = try await Conversation(.sonyBuds)
    let able = try await conversation.driver.start().capabilities
    #expect(able.batteries == Part.allCases && able.eqBands == 10 && able.ancLevels == 1...20)
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    try await conversation.driver.perform(.set("adaptive-ambient", .toggle(true)))
    try await conversation.driver.perform(.set(.autoPowerOff, .choice("30-minutes")))
    try await conversation.driver.perform(.set("touch-right", .choice("noise-control")))
    try await conversation.driver.perform(.set("speak-to-chat-sensitivity", .choice("low")))
    try await conversation.driver.perform(.set(.multipoint, .toggle(false)))
    try await conversation.driver.perform(.set("voice-guide", .toggle(false)))
    let sony = try #require(await conversation.virtual(VirtualSony.self))
    #expect(sony.values[[0xD6, 0xD2]] == [0, 1] && sony.values[[0x0E, 0x46, 0x01]] == [1])
    #expect(!sony.isOff && sony.values[[0x26, 0x05]] == [1, 1])
    #expect(sony.values[[0xF6, 0x03]] == [2, 0x35, 0x35] && sony.values[[0xFA, 0x0C]] == [2, 1])
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
    #expect(description.information.model == "Galaxy Buds2 Pro")
    #expect(description.capabilities.batteries == Part.allCases)
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    try await conversation.driver.perform(.setANCLevel(2))
    try await conversation.driver.perform(.set("hold-right", .choice("spotify")))
    try await conversation.driver.perform(.set("game-mode", .toggle(false)))
    try await conversation.driver.perform(.set("seamless-connection", .toggle(false)))
    try await conversation.driver.perform(.set("conversation-end", .choice("5-seconds")))
    try await conversation.driver.perform(.find(.left, isOn: true))
    var buds = try #require(await conversation.virtual(VirtualGalaxyBuds.self))
    #expect(buds.state[12] == 1 && buds.state[23] == 2 && buds.state[11] == 0x24)
    #expect(buds.state[8] == 0 && buds.state[19] == 1 && buds.state[27] == 0)
    #expect(buds.isSounding && buds.mutes == [0, 1])
    try await conversation.driver.perform(.find(.left, isOn: false))
    // To stop is not confirmed; what is ordered behind it is.
    try await conversation.driver.perform(.setANC(.off))
    buds = try #require(await conversation.virtual(VirtualGalaxyBuds.self))
    #expect(!buds.isSounding)
    #expect(await conversation.reported().contains(.findChanged([])))
  }

  @Test func `Galaxy Buds4 Pro are ordered by result and report`() async throws {
    let model = VirtualModel.serial(36, "Galaxy Buds4 Pro", VirtualGalaxyBuds.fourthPro)
    let conversation = try await Conversation(model)
    let able = try await conversation.driver.start().capabilities
    #expect(able.batteries == [.left, .right] && !able.declares("cancelling-strength"))
    for mode in [ANCMode.noiseCancelling, .off, .transparency, .transparency] {
      try await conversation.driver.perform(.setANC(mode))
    }
    try await conversation.driver.perform(.set("game-mode", .toggle(true)))
    try await conversation.driver.perform(.set(.equaliserPreset, .choice("off")))
    let buds = try #require(await conversation.virtual(VirtualGalaxyBuds.self))
    #expect(buds.state[12] == 2 && buds.state[8] == 1 && buds.state[9] == 0)
    let events = await conversation.reported()
    #expect(events.contains(.settingChanged("game-mode", .toggle(true))))
    #expect(events.contains(.settingChanged(.equaliserPreset, .choice("off"))))
  }

  @Test func `a 1MORE headphone has its settings where a person says that it is one`() async throws
  {
    let model = VirtualModel.serial(40, "1MORE SonoFlow", VirtualOneMore(level: 80))
    let conversation = try await Conversation(model, forced: "1more")
    let description = try await conversation.driver.start()
    #expect(description.driver == "1MORE" && description.information.firmware == "1.2.3")
    #expect(description.capabilities.batteries == [.left] && !description.capabilities.hasCase)
    #expect(description.capabilities.ancModes == [.off, .noiseCancelling, .transparency])
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set("ldac", .toggle(true)))
    try await conversation.driver.perform(.set(.multipoint, .toggle(false)))
    try await conversation.driver.perform(.set(.equaliserPreset, .choice("pop")))
    let virtual = try #require(await conversation.virtual(VirtualOneMore.self))
    #expect(virtual.values == [0x5F: 3, 0x6C: 2, 0x77: 0, 0x6A: 10])
    let events = await conversation.reported()
    #expect(events.contains(.settingChanged(.equaliserPreset, .choice("pop"))))
    #expect(!events.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `Technics's earbuds keep their levels, and a part that they refuse is absent`()
    async throws
  {
    let model = VirtualModel.serial(41, "EAH-AZ80", VirtualTechnics(levels: [80, 90, nil]))
    let clock = ManualClock()
    let conversation = try await Conversation(model, forced: "technics", clock: clock)
    let able = try await conversation.driver.start().capabilities
    #expect(able.batteries == [.left, .right] && !able.hasCase)
    #expect(able.ancModes == [.off, .noiseCancelling, .transparency])
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    let virtual = try #require(await conversation.virtual(VirtualTechnics.self))
    #expect(virtual.noise == [1, 80, 40])
    #expect(virtual.commands == [0x68, 0x22, 0x0B, 0x68, 0x0B, 0x39])
    _ = await conversation.reported()
  }

  @Test func `Moondrop's earbuds are set, and read back once they tell the new mode`() async throws
  {
    let model = VirtualModel.serial(43, "MOONDROP Pudding", VirtualMoondrop(levels: [80, 0, 60]))
    let clock = ManualClock()
    let conversation = try await Conversation(model, forced: "moondrop", clock: clock)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Moondrop" && description.information.firmware == "3.5.2")
    #expect(description.capabilities.batteries == [.left, .case])
    #expect(description.capabilities.ancModes == [.off, .noiseCancelling, .transparency])
    try await conversation.driver.perform(.set("gain", .choice("high")))
    async let isSet: Void = conversation.driver.perform(.setANC(.transparency))
    await clock.pass(.milliseconds(700))
    try await isSet
    let virtual = try #require(await conversation.virtual(VirtualMoondrop.self))
    #expect(virtual.values == [0x4003: 2, 0x1E01: 0])
    let events = await conversation.reported()
    #expect(events.contains(.ancChanged(.transparency)))
    #expect(!events.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `the first Galaxy Buds work without confirmations`() async throws {
    let conversation = try await Conversation(.galaxyBuds2019)
    #expect(try await conversation.driver.start().capabilities.ancModes == [.off, .transparency])
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set(.equaliserPreset, .choice("soft")))
    try await conversation.driver.perform(.setANCLevel(4))
    let reported = await conversation.reported()
    #expect(reported.contains(.settingChanged(.equaliserPreset, .choice("soft"))))
    #expect(reported.contains(.ancLevelChanged(4)))
  }

  @Test func `Bose's headphones are asked which noise control they have`() async throws {
    let conversation = try await Conversation(.bose)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Bose" && description.information.model == "QC45")
    #expect(description.capabilities.ancModes == [.noiseCancelling, .transparency])
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set("treble", .level(-4)))
    try await conversation.driver.perform(.set(.multipoint, .toggle(false)))
    try await conversation.driver.perform(.set("voice-prompts", .toggle(false)))
    try await conversation.driver.perform(.rename("New QC"))
    let bose = try #require(await conversation.virtual(VirtualBose.self))
    #expect(bose.values[[31, 3]] == [1] && bose.values[[1, 7]]?[10] == 0xFC)
    #expect(bose.values[[1, 3]] == [0x41] && bose.values[[1, 2]] == [0] + Array("New QC".utf8))
    let reported = await conversation.reported()
    #expect(reported.contains(.settingChanged("treble", .level(-4))))
    #expect(reported.contains(.renamed("New QC")))
    #expect(reported.contains(.settingChanged(.multipoint, .toggle(false))))
  }

  @Test func `a Bose with live settings has its level, position and buttons there`() async throws {
    let conversation = try await Conversation(.boseUltra)
    let able = try await conversation.driver.start().capabilities
    #expect(able.ancLevels == 0...10 && able.hasANCLevel)
    #expect(
      able.declaration(of: .pairedDevices)?.kind
        == .pairedDevices([.connect, .disconnect, .forget]))
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.setANCLevel(7))
    try await conversation.driver.perform(.set("immersive-audio", .choice("motion")))
    try await conversation.driver.perform(.set("hold-button", .choice("voice-assistant")))
    try await conversation.driver.perform(.set(.multipoint, .toggle(false)))
    let bose = try #require(await conversation.virtual(VirtualBose.self))
    #expect(bose.values[[31, 3]] == [1] && bose.values[[31, 10]] == [7, 0, 2, 0, 1])
    #expect(bose.buttons[0][2] == 1 && bose.values[[1, 10]] == [0x06])
    #expect(bose.values[[9, 2]] == [0x80, 0, 0, 0x26] && bose.values[[1, 5]] == [11, 0, 3])
    let reported = await conversation.reported()
    #expect(reported.contains(.ancLevelChanged(7)))
    #expect(!reported.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `Sennheiser's dial moves while noise control is on and does not adapt`() async throws {
    let conversation = try await Conversation(.sennheiser)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Sennheiser" && description.information.model == "HDB 630")
    #expect(description.information.firmware == "3.33.3")
    #expect(description.capabilities.ancModes == ANCMode.allCases)
    try await conversation.driver.perform(.setANC(.adaptive))
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.setANCLevel(60))
    try await conversation.driver.perform(.set("bass-boost", .toggle(true)))
    try await conversation.driver.perform(.set("wind-reduction", .choice("most")))
    try await conversation.driver.perform(.set("sidetone", .level(4)))
    let gains = [-12, 0, 12, 3, 0].compactMap { BandGain(halfDecibels: $0) }
    try await conversation.driver.perform(.setCustomEQ(gains))
    let sennheiser = try #require(await conversation.virtual(VirtualSennheiser.self))
    #expect(sennheiser.values[0x1A03] == [60] && sennheiser.modes == [1, 0, 0])
    #expect(sennheiser.values[0x1009] == [1] && sennheiser.values[0x0806] == [4])
    #expect(sennheiser.gains == [0xC4, 0, 60, 15, 0])
    #expect(sennheiser.reporting == [0x03, 0x04, 0x08, 0x0C, 0x0D])
    try await conversation.driver.perform(.setANC(.off))
    await #expect(throws: HeadphoneError.self) {
      try await conversation.driver.perform(.setANCLevel(10))
    }
    #expect(await conversation.reported().contains(.ancChanged(.adaptive)))
  }

  @Test func `a Sennheiser that refuses an order for one mode takes all of them at once`()
    async throws
  {
    var headphone = VirtualSennheiser.overEar
    headphone.takesOneMode = false
    var model = VirtualModel.sennheiser
    model.family = .serial(VirtualSerial(headphone))
    let conversation = try await Conversation(model)
    _ = try await conversation.driver.start()
    try await conversation.driver.perform(.setANC(.adaptive))
    try await conversation.driver.perform(.set("comfort", .toggle(true)))
    let sennheiser = try #require(await conversation.virtual(VirtualSennheiser.self))
    #expect(sennheiser.modes == [2, 1, 1])
    let reported = await conversation.reported()
    #expect(reported.contains(.settingChanged("comfort", .toggle(true))))
    #expect(!reported.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test(
    arguments: [
      (3, [0x04, 0x00], true), (3, [0x03], true), (3, [0x09], false), (4, [0x03, 0x01], true),
      (4, [0x04, 0x00], false),
    ] as [(UInt8, [UInt8], Bool)])
  func `vivo's noise control is ordered with what the model reports behind it`(
    _ version: UInt8, _ tail: [UInt8], isTaken: Bool
  ) async throws {
    var vivo = VirtualVivo(levels: [83, 82, 0xFF])
    (vivo.version, vivo.tail) = (version, tail)
    var model = VirtualModel.vivo
    model.family = .serial(VirtualSerial(vivo))
    let conversation = try await Conversation(model)
    let able = try await conversation.driver.start().capabilities
    #expect(able.batteries == [.left, .right] && able.ancModes.count == 3)
    let result: HeadphoneError?
    do throws(HeadphoneError) {
      try await conversation.driver.perform(.setANC(.transparency))
      result = nil
    } catch {
      result = error
    }
    #expect((result == nil) == isTaken)
    #expect(await conversation.virtual(VirtualVivo.self)?.mode == (isTaken ? 2 : 1))
    _ = await conversation.reported()
  }

  @Test func `an Edifier headband is asked for its noise control, and buds are not`() async throws {
    let conversation = try await Conversation(.edifier)
    let able = try await conversation.driver.start().capabilities
    #expect(able.batteries == [.left] && able.declares("noise-kind"))
    try await conversation.driver.perform(.set("noise-kind", .choice("wind")))
    try await conversation.driver.perform(.setANC(.transparency))
    #expect(await conversation.virtual(VirtualEdifier.self)?.noise == [0x10, 4])
    #expect(await conversation.reported().contains(.settingChanged("noise-kind", .choice("wind"))))

    var buds = VirtualModel.edifier
    buds.family = .serial(VirtualSerial(VirtualEdifier(levels: [80, 75])))
    let second = try await Conversation(buds)
    let budsAble = try await second.driver.start().capabilities
    #expect(budsAble.batteries == [.left, .right] && budsAble.ancModes.isEmpty)
    #expect(await second.virtual(VirtualEdifier.self)?.wasAskedForNoise == false)
    _ = await second.reported()
  }

  @Test func `an Edifier of the old framing is recognised, with all that it has`() async throws {
    var model = VirtualModel.edifier
    model.family = .serial(VirtualSerial(VirtualEdifier(levels: [77], in: .old)))
    let conversation = try await Conversation(model)
    let description = try await conversation.driver.start()
    #expect(description.information.firmware == "3.0.2")
    #expect(description.capabilities.batteries == [.left] && description.capabilities.hasANCLevel)
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.setANCLevel(5))
    try await conversation.driver.perform(.set("game-mode", .toggle(true)))
    try await conversation.driver.perform(.set("prompt-volume", .level(3)))
    try await conversation.driver.perform(.set("ldac", .choice("96-khz")))
    try await conversation.driver.perform(.set(.equaliserPreset, .choice("rock")))
    try await conversation.driver.perform(.set(.autoPowerOff, .choice("30-minutes")))
    try await conversation.driver.perform(.set("noise-button", .choice("ambient-off")))
    let edifier = try #require(await conversation.virtual(VirtualEdifier.self))
    #expect(edifier.noise == [3, 8] && edifier.cycle == 5 && edifier.values[0x48] == [2])
    #expect(edifier.values[0x05] == [3] && edifier.values[0x08] == [1])
    #expect(edifier.values[0xD5] == [3] && edifier.values[0xD3] == [0, 30])
    try await conversation.driver.perform(.set(.autoPowerOff, .choice("never")))
    #expect(await conversation.virtual(VirtualEdifier.self)?.values[0xD3] == [0])
    _ = await conversation.reported()
  }

  @Test func `Redmi's earbuds answer who has answered their challenge`() async throws {
    let conversation = try await Conversation(.redmi)
    let description = try await conversation.driver.start()
    #expect(description.information.firmware == "1.0.3.7")
    #expect(description.capabilities.batteries == Part.allCases)
    #expect(description.capabilities.ancModes == [.off, .noiseCancelling, .transparency])
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set(.wearDetection, .toggle(false)))
    try await conversation.driver.perform(.set("double-tap-right", .choice("previous")))
    try await conversation.driver.perform(.set("triple-tap-right", .choice("next")))
    try await conversation.driver.perform(.set("noise-cycle-right", .choice("off-transparency")))
    try await conversation.driver.perform(.find(.right, isOn: true))
    // It is of another mode than the one in force.
    await #expect(throws: HeadphoneError.self) {
      try await conversation.driver.perform(.set("cancelling-strength", .choice("deep")))
    }
    let redmi = try #require(await conversation.virtual(VirtualRedmi.self))
    #expect(redmi.isTrusting && redmi.mode == 2 && redmi.wearDetection == 1)
    #expect(redmi.configurations[0x02] == [4, 8, 1, 1, 1, 2, 2, 2, 3, 3, 6, 0])
    #expect(redmi.configurations[0x0A] == [7, 5] && redmi.ringing == 2)
    let events = await conversation.reported()
    #expect(events.contains(.ancChanged(.transparency)))
    #expect(!events.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `Pixel Buds are called on the channel that answers`() async throws {
    let conversation = try await Conversation(.pixelBuds)
    let description = try await conversation.driver.start()
    #expect(description.information.firmware == "release_5.11_signed")
    #expect(description.capabilities.batteries == Part.allCases)
    #expect(description.capabilities.ancModes == [.off, .noiseCancelling, .transparency])
    #expect(description.capabilities.eqBands == 5)
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set(.multipoint, .toggle(true)))
    let gains = [-6, -1.5, 0, 3, 6].compactMap { BandGain(halfDecibels: Int8($0 * 2)) }
    try await conversation.driver.perform(.setCustomEQ(gains))
    try await conversation.driver.perform(.set("hold-off", .toggle(true)))
    let pixel = try #require(await conversation.virtual(VirtualPixelBuds.self))
    #expect(pixel.switches[13] == 3 && pixel.switches[11] == 1)
    #expect(pixel.gains == [-6, -1.5, 0, 3, 6])
    #expect(pixel.noiseCycle == [1, 1, 1])
    #expect(await conversation.reported().contains(.ancChanged(.transparency)))
  }

  @Test func `Huawei's headphones are asked again after each order`() async throws {
    let conversation = try await Conversation(.huawei)
    let description = try await conversation.driver.start()
    #expect(description.capabilities.batteries == Part.allCases)
    try await conversation.driver.perform(.set("cancelling-strength", .choice("ultra")))
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set(.pauseWhenTakenOff, .toggle(false)))
    try await conversation.driver.perform(.set(.multipoint, .toggle(false)))
    try await conversation.driver.perform(.set(.equaliserPreset, .choice("treble")))
    try await conversation.driver.perform(.set("double-tap-right", .choice("previous")))
    try await conversation.driver.perform(.set("swipe", .choice("none")))
    try await conversation.driver.perform(.set("hold-left", .choice("none")))
    try await conversation.driver.perform(
      .set("noise-cycle-right", .choice("cancelling-transparency")))
    try await conversation.driver.perform(.find(.both, isOn: true))
    try await conversation.driver.perform(.find(.left, isOn: false))
    let huawei = try #require(await conversation.virtual(VirtualHuawei.self))
    #expect(huawei.doubleTap == [1, 7] && huawei.swipe == 0xFF)
    #expect(huawei.hold == [0xFF, 0x0A] && huawei.noiseCycle == [2, 3])
    #expect(huawei.isSilent == [1, 0])
    #expect(huawei.mode == 2 && huawei.strength == 2 && huawei.pauses == 0)
    #expect(huawei.multipoint == 0 && huawei.preset == 3)
    #expect(await conversation.reported().contains(.ancChanged(.transparency)))
  }

  @Test func `Nothing's language is the same over RFCOMM, once the firmware is known`()
    async throws
  {
    let conversation = try await Conversation(.cmf)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Nothing / CMF")
    #expect(description.information.firmware == "1.0.1.52")
    #expect(description.capabilities.batteries == Part.allCases)
    #expect(description.capabilities.declares(.wearDetection))
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    try await conversation.driver.perform(.setANCLevel(1))
    try await conversation.driver.perform(.setEQ(.bassBoost))
    try await conversation.driver.perform(.set("bass-boost-level", .level(4)))
    try await conversation.driver.perform(.set("low-latency", .toggle(true)))
    try await conversation.driver.perform(.set("double-tap-right", .choice("next")))
    try await conversation.driver.perform(.find(.right, isOn: true))
    let nothing = try #require(await conversation.virtual(VirtualNothingSerial.self)).headphone
    #expect(nothing.noise == .low && nothing.eq == 3 && nothing.ringing == [3])
    #expect(nothing.payloads[NothingCommand.readBass] == [0, 8])
    #expect(nothing.payloads[NothingCommand.readLowLatency] == [1])
    #expect(nothing.payloads[NothingCommand.readGestures]?[13...16] == [3, 0, 2, 9])
    let events = await conversation.reported()
    #expect(events.contains(.ancLevelChanged(1)))
    #expect(!events.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `a fit test of Nothing's has a result for each bud`() async throws {
    var nothing = VirtualNothing(
      battery: NothingBattery(.single(Battery(level: 70, isCharging: false))), noise: .off,
      firmware: "1.0.1.74")
    (nothing.serial, nothing.fit) = ("SH10772345000001", [0, 1])
    nothing.payloads = [NothingCommand.readListeningMode: [0]]
    let conversation = try await Conversation(
      .serial(18, "CMF Buds Pro 2", VirtualNothingSerial(nothing)))
    let description = try await conversation.driver.start()
    #expect(description.capabilities.eqPresets.isEmpty)
    try await conversation.driver.perform(.set("fit-test", .done))
    try await conversation.driver.perform(.set(.equaliserPreset, .choice("pop")))
    let events = await conversation.reported()
    #expect(events.contains(.settingChanged("fit-right", .text("poor"))))
    #expect(events.contains(.settingChanged(.equaliserPreset, .choice("pop"))))
  }
}
