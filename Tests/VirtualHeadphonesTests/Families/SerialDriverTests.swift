import Bluetooth
import BluetoothCodec
import EventLoop
import GATT
import HeadphoneDrivers
import HeadphoneProtocols
import Locking
import TestSupport
import Testing

@testable import VirtualHeadphones

/// Headphones on a serial channel of their audio side, behind the same face.
@Suite(.timeLimit(.minutes(2))) struct SerialDriverTests {
  /// A started driver and what it reports.
  private struct Conversation {
    let headphone: VirtualHeadphone
    let radio: VirtualRadio
    let bearer: any Bearer
    let driver: any HeadphoneDriver
    let events: HeadphoneEvents

    init(
      _ model: VirtualModel, forced: String? = nil, clock: (any Clock<Duration>)? = nil,
      observer: (any BearerObserver)? = nil
    ) async throws {
      let clock = clock ?? model.responseClock
      headphone = VirtualHeadphone(model, loop: .shared, clock: ManualClock())
      radio = VirtualRadio(headphones: [headphone])
      let address = try #require(model.audioAddress)
      let family = forced.flatMap(HeadphoneFamily.init)
      let channel = try await HeadphoneFamily.connectAudioSide(
        of: address, forced: family, on: radio, timeout: .seconds(1), clock: clock)
      bearer = observer.map { ObservedBearer(channel, by: $0) } ?? channel
      let (emitter, events) = EventEmitter.makeEvents()
      self.events = events
      driver = try #require(
        HeadphoneFamily.driver(on: bearer, forced: family, clock: clock, emitter: emitter))
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

  @Test func `a 1MORE headphone has its settings where a person says that it is one`() async throws
  {
    let model = VirtualModel.serial(34, "1MORE SonoFlow", VirtualOneMore(level: 80))
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
    let model = VirtualModel.serial(35, "EAH-AZ80", VirtualTechnics(levels: [80, 90, nil]))
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

  private static let serialModels = VirtualModel.families.filter {
    if case .serial = $0.family { true } else { false }
  }

  /// A capture of a channel whose beginning is not in it.
  private final class Recorder: BearerObserver {
    let traffic = Mutex((records: 0, capture: CapturedTraffic()))

    func sent(_ pdu: Bytes) { note(pdu, isReceived: false) }
    func received(_ pdu: Bytes) { note(pdu, isReceived: true) }

    private func note(_ pdu: Bytes, isReceived: Bool) {
      var frame: [UInt8] = []
      frame.append(littleEndian: UInt16(pdu.count))
      frame.append(littleEndian: UInt16(0x0040))
      let packet = HCIPacket.acl(
        ACLPacket(connection: 1, boundary: isReceived ? 2 : 0, data: (frame + pdu)[...]))
      guard let bytes = try? packet.encoded() else { return }
      traffic.withLock { traffic in
        traffic.records += 1
        let time = BtsnoopTime(microsecondsSince1970: Int64(traffic.records))
        traffic.capture.receive(
          BtsnoopRecord(uart: bytes[...], isReceived: isReceived, time: time), of: .uart)
      }
    }
  }

  @Test(arguments: serialModels)
  func `a capture leads to the family that is hidden from it`(_ model: VirtualModel) async throws {
    let recorder = Recorder()
    let conversation = try await Conversation(model, observer: recorder)
    let description = try await conversation.driver.start()
    _ = await conversation.reported()
    let findings = CaptureFindings(in: recorder.traffic.withLock(\.capture))
    let channel = try #require(findings.channels.first)
    let framing = try #require(channel.framings.first)
    let family = HeadphoneFamily.allCases.first {
      $0.serialProtocol?.name == description.driver
    }
    #expect(framing.name == family?.rawValue, "\(channel.framings)")
    #expect(framing.values > 0 && framing.share >= 90)
  }

  @Test func `every setting has a label of seven columns and a title without a comma`() async throws
  {
    #expect(Self.serialModels.count >= 14)
    for model in Self.serialModels {
      let conversation = try await Conversation(model)
      let settings = try await conversation.driver.start().capabilities.settings
      for setting in settings {
        #expect((1...7).contains(setting.label.count), "\(setting.id) of \(model.name)")
        // Titles stand in lists.
        #expect(!setting.title.contains(","), "\(setting.id) of \(model.name)")
      }
      #expect(Set(settings.map(\.id)).count == settings.count)
      #expect(Set(settings.map(\.label)).count == settings.count, "\(model.name)")
      _ = await conversation.reported()
    }
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
    #expect(sennheiser.values[0x1A02] == [60] && !sennheiser.adapts)
    #expect(sennheiser.values[0x1008] == [1] && sennheiser.values[0x0805] == [4])
    #expect(sennheiser.values[0x1002] == [0xC4, 0, 60, 15, 0] && sennheiser.otherModes == [1, 0])
    try await conversation.driver.perform(.setANC(.off))
    await #expect(throws: HeadphoneError.self) {
      try await conversation.driver.perform(.setANCLevel(10))
    }
    #expect(await conversation.reported().contains(.ancChanged(.adaptive)))
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

  /// What a headphone says of its devices, and what it can be told to do with them.
  private struct Owner: Sendable, CustomTestStringConvertible {
    var model: VirtualModel
    var actions: [PairedDeviceAction]
    var devices: @Sendable (VirtualSerial) -> [PairedDevice]?

    var testDescription: String { model.name }
  }

  private static let owners = [
    Owner(model: .huawei, actions: [.connect, .disconnect, .prefer, .forget]) {
      ($0.headphone as? VirtualHuawei)?.devices.all
    },
    Owner(model: .bose, actions: [.connect, .disconnect, .play, .forget]) {
      ($0.headphone as? VirtualBose)?.devices?.all
    },
    Owner(model: .soundcoreSport, actions: [.connect, .disconnect, .forget]) {
      ($0.headphone as? VirtualSoundcore)?.devices.all
    },
    Owner(model: .sonyBuds, actions: [.connect, .disconnect, .play, .forget]) {
      ($0.headphone as? VirtualSony)?.devices.all
    },
  ]

  @Test(arguments: owners)
  private func `the devices of a headphone are listed, and each order is shown by the list`(
    _ owner: Owner
  ) async throws {
    let conversation = try await Conversation(owner.model)
    let able = try await conversation.driver.start().capabilities
    #expect(able.declaration(of: .pairedDevices)?.kind == .pairedDevices(owner.actions))
    let three = VirtualPairedDevices.three.all
    let (phone, tablet) = (three[1].address, three[2].address)
    func device(_ address: BluetoothAddress) async -> PairedDevice? {
      guard case .serial(let serial)? = await conversation.headphone.family else { return nil }
      return owner.devices(serial)?.first { $0.address == address }
    }
    try await conversation.driver.perform(.pairedDevice(.disconnect, phone))
    #expect(await device(phone)?.isConnected == false)
    try await conversation.driver.perform(.pairedDevice(.connect, tablet))
    #expect(await device(tablet)?.isConnected == true)
    if owner.actions.contains(.play) {
      try await conversation.driver.perform(.pairedDevice(.play, tablet))
      #expect(await device(tablet)?.isPlaying == true)
    }
    if owner.actions.contains(.prefer) {
      try await conversation.driver.perform(.pairedDevice(.prefer, tablet))
      #expect(await device(tablet)?.isPreferred == true)
    }
    try await conversation.driver.perform(.pairedDevice(.forget, phone))
    #expect(await device(phone) == nil)
    // Neither a stranger, nor what is so already.
    for (action, address) in [(.forget, phone), (.connect, tablet)]
      as [(PairedDeviceAction, BluetoothAddress)]
    {
      await #expect(throws: HeadphoneError.self) {
        try await conversation.driver.perform(.pairedDevice(action, address))
      }
    }
    let reported = await conversation.reported()
    let lists = reported.compactMap { event -> [BluetoothAddress]? in
      guard case .settingChanged(.pairedDevices, .pairedDevices(let devices)) = event else {
        return nil
      }
      return devices.map(\.address)
    }
    #expect(lists.first == three.map(\.address))
    #expect(lists.last == [three[0].address, tablet])
    #expect(!reported.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `Soundcore's headphones get as many bytes as they report, and the rest stays`()
    async throws
  {
    let conversation = try await Conversation(.soundcoreSport)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Soundcore" && description.information.model == "A3968")
    #expect(description.information.firmware == "01.65")
    #expect(description.capabilities.batteries == Part.allCases)
    let before = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set("cancelling-strength", .level(5)))
    try await conversation.driver.perform(.set("cancelling-kind", .choice("adaptive")))
    try await conversation.driver.perform(.set("wind-reduction", .toggle(true)))
    let after = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    #expect(Array(after[117..<123]) == [1, 0x52, 1, 1, 1, 0xFF])
    #expect(
      after.prefix(117) == before.prefix(117) && after.dropFirst(123) == before.dropFirst(123))
    #expect(await conversation.reported().contains(.ancChanged(.transparency)))
  }

  @Test func `a Soundcore's press changes alone, and what it does on one bud stays`() async throws {
    let conversation = try await Conversation(.soundcoreSport)
    let able = try await conversation.driver.start().capabilities
    let title = { (id: SettingID) in able.declaration(of: id)?.title }
    #expect(title("double-tap-left") == "Double tap left" && title("triple-tap-left") == nil)
    let before = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    try await conversation.driver.perform(.set("double-tap-left", .choice("voice-assistant")))
    try await conversation.driver.perform(.set("tap-right", .choice("none")))
    // What the maker's app does not offer for one press.
    await #expect(throws: HeadphoneError.badArgument("tap right has no noise-control")) {
      try await conversation.driver.perform(.set("tap-right", .choice("noise-control")))
    }
    var expected = before
    (expected[111], expected[112]) = (0x6F, 0x35)
    #expect(await conversation.virtual(VirtualSoundcore.self)?.state == expected)
    let events = await conversation.reported()
    #expect(events.contains(.settingChanged("double-tap-left", .choice("voice-assistant"))))
    #expect(events.contains(.settingChanged("tap-right", .choice("none"))))
  }

  @Test func `the one button of a Soundcore raises the bass or does nothing`() async throws {
    let conversation = try await Conversation(.spaceOne)
    _ = try await conversation.driver.start()
    for (action, byte) in [("none", 0x0F), ("bass-up", 0x07)] as [(String, UInt8)] {
      try await conversation.driver.perform(.set("double-press", .choice(action)))
      #expect(await conversation.virtual(VirtualSoundcore.self)?.state[67] == byte)
    }
    _ = await conversation.reported()
  }

  @Test func `a Life Q30 has its equaliser and scenes over RFCOMM, too`() async throws {
    var model = VirtualModel.soundcoreSport
    model.family = .serial(VirtualSerial(VirtualSoundcore.overEar))
    let conversation = try await Conversation(model)
    let able = try await conversation.driver.start().capabilities
    #expect(able.eqPresets == EQPreset.allCases && able.eqBands == 8)
    let before = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    try await conversation.driver.perform(.setEQ(.bassBoost))
    try await conversation.driver.perform(.set("cancelling-scene", .choice("indoor")))
    try await conversation.driver.perform(.set("transparency-kind", .choice("full")))
    let after = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    #expect(Array(after[2..<12]) == SoundcoreEQ(.bassBoost)?.encoded())
    #expect(Array(after[35..<39]) == [2, 2, 0, 0])
    #expect(after[12..<35] == before[12..<35] && after[39...] == before[39...])
    try await conversation.driver.perform(.setEQ(.custom))
    let custom = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    #expect(custom[2..<12] == before[2..<12])
    _ = await conversation.reported()
  }

  @Test func `Nothing's language is the same over RFCOMM, once the firmware is known`()
    async throws
  {
    let conversation = try await Conversation(.cmf)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Nothing / CMF")
    #expect(description.information.firmware == "1.0.1.41")
    #expect(description.capabilities.batteries == Part.allCases)
    #expect(description.capabilities.declares(.wearDetection))
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    try await conversation.driver.perform(.setANCLevel(1))
    try await conversation.driver.perform(.setEQ(.bassBoost))
    try await conversation.driver.perform(.find(.right, isOn: true))
    let nothing = try #require(await conversation.virtual(VirtualNothingSerial.self)).headphone
    #expect(nothing.noise == .low && nothing.eq == 3 && nothing.ringing == [3])
    let events = await conversation.reported()
    #expect(events.contains(.ancLevelChanged(1)))
    #expect(!events.contains { if case .malformed = $0 { true } else { false } })
  }

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

  @Test(arguments: [(0x3968, 1, false), (0x3968, 2, false), (0x1202, 2, true), (0x1402, 1, false)])
  func `a Soundcore whose width is not known is read, and not written`(
    _ number: UInt16, further: Int, isTaken: Bool
  ) async throws {
    var sport = VirtualSoundcore.sport
    if number != 0x3968 {
      // Another model's serial number, which no table has.
      sport.state.replaceSubrange(16..<20, with: Array("9999".utf8))
      sport = VirtualSoundcore(number: number, state: sport.state, modes: sport.modes)
    }
    sport.further = further
    var model = VirtualModel.soundcoreSport
    model.family = .serial(VirtualSerial(sport))
    let conversation = try await Conversation(model)
    #expect(try await conversation.driver.start().capabilities.ancModes.count == 3)
    let result: HeadphoneError?
    do throws(HeadphoneError) {
      try await conversation.driver.perform(.setANC(.off))
      result = nil
    } catch {
      result = error
    }
    let unknown = HeadphoneError.unsupported(
      "noise control that Earshot can set: the length of its command is unknown")
    #expect(result == (isTaken ? nil : unknown))
    let state = try #require(await conversation.virtual(VirtualSoundcore.self)).state
    #expect(Array(state[117...]) == [isTaken ? 2 : 0] + sport.state[118...])
    _ = await conversation.reported()
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

  @Test func `a channel that no record names is found by its number and its language`() async throws
  {
    var model = VirtualModel.bose
    var bose = VirtualBose.overEar
    bose.channel = 2
    model.family = .serial(VirtualSerial(bose))
    let conversation = try await Conversation(model)
    let description = try await conversation.driver.start()
    #expect(description.driver == "Bose")
    #expect(await conversation.reported().contains(.ancChanged(.noiseCancelling)))

    // One that opens and does not speak it is left again.
    let clock = ManualClock()
    await conversation.headphone.stopResponding()
    async let second = HeadphoneFamily.connectAudioSide(
      of: try #require(model.audioAddress), on: conversation.radio, timeout: .seconds(1),
      clock: clock)
    await clock.sleepers(1)
    clock.advance(by: .milliseconds(2500))
    do {
      _ = try await second
      Issue.record("silence is an answer")
    } catch {
      guard case .refused = error as? RadioError else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func `AirPods are called on their own channel, whatever service discovery tells`()
    async throws
  {
    let headphone = VirtualHeadphone(.airPodsHere, loop: .shared, clock: ContinuousClock())
    let radio = VirtualRadio(headphones: [headphone])
    let address = try #require(headphone.model.audioAddress)
    let bearer = try await HeadphoneFamily.connectAudioSide(
      of: address, on: radio, timeout: .seconds(1), clock: ContinuousClock())
    #expect(bearer.channel == .classic(psm: AACPPacket.psm))
    bearer.close(.user)
  }

  @Test func `a command that is given while all is read again waits for the end of that`()
    async throws
  {
    let clock = ManualClock()
    let conversation = try await Conversation(.sonyBuds, clock: clock)
    let driver = conversation.driver
    _ = try await driver.start()
    await conversation.headphone.stopResponding()
    let refresh = Task { try await driver.refresh() }
    await clock.sleepers(1)
    let command = Task.immediate { try await driver.perform(.setANC(.off)) }
    await conversation.headphone.resumeResponding()
    clock.advance(by: .seconds(1))
    try await refresh.value
    try await command.value
    #expect(await conversation.reported().last == .ancChanged(.off))
  }

  // Models that answer each query of the start: nobody advances the clock there.
  @Test(arguments: [
    VirtualModel.sonyBuds, .bose, .soundcoreSport, .cmf, .realme, .vivo, .sennheiser, .redmi,
  ])
  func `a headphone that is silent while it is read again does what it did before`(
    _ model: VirtualModel
  ) async throws {
    let clock = ManualClock()
    let conversation = try await Conversation(model, clock: clock)
    let driver = conversation.driver
    let mode = try #require(try await driver.start().capabilities.ancModes.last)
    await conversation.headphone.stopResponding()
    let refresh = Task { try await driver.refresh() }
    for _ in 0..<3 {
      await clock.sleepers(1)
      clock.advance(by: .seconds(1))
    }
    await #expect(throws: HeadphoneError.noResponse) { try await refresh.value }
    await conversation.headphone.resumeResponding()
    try await driver.perform(.setANC(mode))
    try await driver.refresh()
    _ = await conversation.reported()
  }

  @Test func `what does not answer in the language is no headphone of the family`() async throws {
    let clock = ManualClock()
    let conversation = try await Conversation(.sonyOverEar, clock: clock)
    await conversation.headphone.stopResponding()
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
        error as? HeadphoneError == .notAHeadphone(missing: "answer in the protocol of Sony"))
    }
  }
}
