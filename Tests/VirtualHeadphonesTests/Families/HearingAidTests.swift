import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

@Suite struct HearingAidTests {
  private struct Conversation {
    let phone: Phone
    let client: GATTClient
    let driver: GATTDriver
    let events: HeadphoneEvents
    let clock = ManualClock()

    init(
      _ model: VirtualModel = .leftAid, _ change: (inout VirtualHearingAid) -> Void = { _ in }
    ) async throws {
      var model = model
      if case .hearingAid(var aid) = model.family {
        change(&aid)
        model.family = .hearingAid(aid)
      }
      phone = Phone(model)
      client = try await phone.connect()
      let (emitter, events) = EventEmitter.makeEvents()
      self.events = events
      driver = GATTDriver(client: client, clock: clock, emitter: emitter)
    }

    /// Passes the time after which a message is no longer awaited.
    func outwait<Value: Sendable>(_ outcome: Task<Value, Never>) async -> Value {
      await clock.pass(.seconds(3))
      return await outcome.value
    }

    /// Ends the link, and returns the reported values of a setting in order.
    func reported(_ id: SettingID) async -> [SettingValue] {
      await all().compactMap { event in
        if case .settingChanged(id, let value) = event { value } else { nil }
      }
    }

    func all() async -> [HeadphoneEvent] {
      await client.close()
      return await events.reduce(into: []) { $0.append($1) }
    }

    func failure(of command: HeadphoneCommand) async -> HeadphoneError? {
      do throws(HeadphoneError) {
        try await driver.perform(command)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func `an aid is recognised, with presets by name and its own side`() async throws {
    let conversation = try await Conversation()
    let description = try await conversation.driver.start()
    #expect(description.driver == "hearing aid services")
    #expect(description.reason == "hearing aid service 1854")
    #expect(description.set?.side == .left && description.set?.others == 1)
    #expect(description.capabilities.batteries == [.left, .right])
    #expect(
      description.capabilities.settings.map(\.id) == [
        .preset, .presetName, .offset(of: .left), "input-ambient-gain", "input-ambient-muted",
        "input-ambient-automatic", .microphoneMuted,
      ])
    guard case .choice(let choices)? = description.capabilities.declaration(of: .preset)?.kind
    else { return #expect(Bool(false)) }
    #expect(choices.map(\.id) == ["everyday", "restaurant", "outdoors", "music"])
    #expect(choices.map(\.title) == ["Everyday", "Restaurant", "Outdoors", "Music"])
    #expect(await conversation.reported(.preset) == [.choice("everyday")])
  }

  @Test func `a preset is set and confirmed, and the aid's own button shows at once`() async throws
  {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    try await conversation.driver.perform(.set(.preset, .choice("music")))
    #expect(await conversation.phone.headphone.hearingAid?.active == 7)
    await conversation.phone.headphone.pressButton()
    // A request behind the notification.
    try await conversation.driver.perform(.set(.microphoneMuted, .toggle(true)))
    #expect(
      await conversation.reported(.preset)
        == [.choice("everyday"), .choice("music"), .choice("everyday")])
  }

  @Test(arguments: [true, false])
  func `two aids that are synchronised are set by one request`(_ isSynchronised: Bool) async throws
  {
    let conversation = try await Conversation {
      $0.features.synchronisesPresets = isSynchronised
    }
    _ = try await conversation.driver.start()
    try await conversation.driver.perform(.set(.preset, .choice("outdoors")))
    #expect(await conversation.phone.headphone.hearingAid?.active == 4)
    // The same once more is no request at all: the other aid may have passed it on.
    await conversation.phone.headphone.changeQuietly {
      $0.active = 1
      $0.ignoresPresets = true
    }
    try await conversation.driver.perform(.set(.preset, .choice("outdoors")))
    _ = await conversation.all()
  }

  @Test func `aids with lists of their own have a preset each`() async throws {
    let conversation = try await Conversation(.rightAid) {
      $0.features.hasIndependentPresets = true
    }
    let able = try await conversation.driver.start().capabilities
    #expect(able.declares(.preset(of: .right)) && !able.declares(.preset))
    try await conversation.driver.perform(.set(.preset(of: .right), .choice("music")))
    // That of the other side is for the other aid.
    try await conversation.driver.perform(.set(.preset(of: .left), .choice("whatever")))
    #expect(await conversation.phone.headphone.hearingAid?.active == 7)
    _ = await conversation.all()
  }

  @Test func `a preset is renamed, and is then chosen by its new name`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    try await conversation.driver.perform(.set(.presetName, .text("Café")))
    #expect(await conversation.phone.headphone.hearingAid?.presets.first?.name == "Café")
    try await conversation.driver.perform(.set(.preset, .choice("music")))
    try await conversation.driver.perform(.set(.preset, .choice("café")))
    #expect(
      await conversation.reported(.preset) == [
        .choice("everyday"), .choice("café"), .choice("music"), .choice("café"),
      ])
  }

  @Test func `presets that the aid changes are declared again`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    let headphone = conversation.phone.headphone
    let car = HearingPreset(3, "Car")
    await headphone.changeQuietly { aid in
      aid.presets.remove(at: 1)
      aid.presets.insert(car, at: 1)
    }
    await headphone.indicatePreset(
      PresetMessage.updated(car, before: 2, isLast: false).encoded())
    await headphone.indicatePreset(PresetMessage.deleted(2, isLast: true).encoded())
    await headphone.indicatePreset([0x03, 0x09])
    // Each is a round trip, in which one indication is confirmed and the next one comes.
    for isMuted in [true, false, true, false] {
      try await conversation.driver.perform(.set(.microphoneMuted, .toggle(isMuted)))
    }
    try await conversation.driver.perform(.set(.preset, .choice("car")))
    #expect(await headphone.hearingAid?.active == 3)
    try await conversation.driver.refresh()
    let events = await conversation.all()
    let declared = events.compactMap { event -> [String]? in
      guard case .described(let description) = event,
        case .choice(let choices)? = description.capabilities.declaration(of: .preset)?.kind
      else { return nil }
      return choices.map(\.id)
    }
    #expect(declared.last == ["everyday", "car", "outdoors", "music"])
    #expect(events.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `offset, input and microphone are set by the counter, and read back`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    let wanted: [(SettingID, SettingValue)] = [
      (.offset(of: .left), .level(-255)), ("input-ambient-gain", .level(-6)),
      ("input-ambient-muted", .toggle(true)), (.microphoneMuted, .toggle(true)),
      ("input-ambient-automatic", .toggle(true)),
    ]
    for (id, value) in wanted { try await conversation.driver.perform(.set(id, value)) }
    let aid = try #require(await conversation.phone.headphone.hearingAid)
    #expect(aid.output == OutputState(offset: -255, counter: 1))
    #expect(aid.input == InputState(gain: -6, isMuted: true, mode: .automatic, counter: 6))
    #expect(aid.microphone.isMuted == true)
    // Where the gain is automatic it cannot be set.
    #expect(await conversation.failure(of: .set("input-ambient-gain", .level(1))) != nil)
    let events = await conversation.all()
    for (id, value) in wanted { #expect(events.contains(.settingChanged(id, value)), "\(id)") }
  }

  @Test func `a counter that is outdated is read again`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    await conversation.phone.headphone.changeQuietly { $0.output.counter = 9 }
    // The stored state has the old counter still: the aid refuses, and is read, in vain.
    #expect(await conversation.failure(of: .set(.offset(of: .left), .level(30))) != nil)
    _ = await conversation.all()
  }

  @Test func `an aid that does not confirm a preset keeps its old one`() async throws {
    let conversation = try await Conversation { $0.ignoresPresets = true }
    _ = try await conversation.driver.start()
    let outcome = Task { await conversation.failure(of: .set(.preset, .choice("music"))) }
    #expect(await conversation.outwait(outcome) == .noResponse)
    #expect(await conversation.reported(.preset) == [.choice("everyday")])
  }

  @Test func `an aid that keeps its records back has all but the presets`() async throws {
    let conversation = try await Conversation { $0.withholdsRecords = true }
    let start = Task { try? await conversation.driver.start() }
    let description = try #require(await conversation.outwait(start))
    #expect(description.missing.contains("presets: the hearing aid does not report them"))
    #expect(description.capabilities.settings.first?.id == .offset(of: .left))
    _ = await conversation.all()
  }

  @Test func `presets that change while they are read, out of order, are those that are left`()
    async throws
  {
    let conversation = try await Conversation { $0.withholdsRecords = true }
    let start = Task { try? await conversation.driver.start() }
    await conversation.clock.sleepers(1)
    for message in [
      PresetMessage.record(HearingPreset(8, "Cinema"), isLast: false),
      .record(HearingPreset(1, "Home"), isLast: false),
      .updated(HearingPreset(9, "Car"), before: 8, isLast: true), .deleted(1, isLast: true),
      .record(HearingPreset(5, "Outdoors"), isLast: true),
    ] {
      await conversation.phone.headphone.indicatePreset(message.encoded())
    }
    let description = try #require(await start.value)
    guard case .choice(let choices)? = description.capabilities.declaration(of: .preset)?.kind
    else { return #expect(Bool(false)) }
    #expect(choices.map(\.id) == ["outdoors", "cinema", "car"])
    _ = await conversation.all()
  }

  @Test func `a record that comes again and again does not keep the reading going`() async throws {
    let conversation = try await Conversation { $0.withholdsRecords = true }
    let record = PresetMessage.record(HearingPreset(1, "Home"), isLast: false).encoded()
    let chatter = Task {
      while !Task.isCancelled {
        await conversation.phone.headphone.indicatePreset(record)
        // A round trip, in which the indication is confirmed.
        _ = try? await conversation.client.read(3)
        // Again and again, whichever sleep has begun by then.
        conversation.clock.jump(by: .seconds(2))
        await Task.yield()
      }
    }
    let description = try await conversation.driver.start()
    chatter.cancel()
    #expect(description.missing.contains("presets: the hearing aid does not report them"))
    _ = await conversation.all()
  }

  @Test func `an aid that is busy once has its presets, and takes one`() async throws {
    let conversation = try await Conversation()
    let headphone = conversation.phone.headphone
    func busyOnce<Value: Sendable>(
      _ work: @escaping @Sendable () async -> Value
    ) async -> Value {
      await headphone.injectFaults {
        $0.refusedWrites = [.presetControlPoint: .procedureAlreadyInProgress]
      }
      let outcome = Task { await work() }
      await conversation.clock.sleepers(1)
      await headphone.injectFaults { $0.refusedWrites = [:] }
      await conversation.clock.pass(.seconds(1))
      return await outcome.value
    }
    let description = try #require(
      await busyOnce { try? await conversation.driver.start() })
    #expect(description.capabilities.declares(.preset))
    #expect(!description.missing.contains { $0.hasPrefix("presets") })
    #expect(
      await busyOnce { await conversation.failure(of: .set(.preset, .choice("music"))) } == nil)
    #expect(await headphone.hearingAid?.active == 7)
    _ = await conversation.all()
  }

  @Test func `what was in the way of the presets at the start is tried again by a refresh`()
    async throws
  {
    let conversation = try await Conversation()
    let headphone = conversation.phone.headphone
    await headphone.injectFaults { $0.refusedWrites = [.presetControlPoint: .unlikelyError] }
    let description = try await conversation.driver.start()
    #expect(description.missing.contains("presets: the hearing aid does not report them"))
    await headphone.injectFaults { $0.refusedWrites = [:] }
    try await conversation.driver.refresh()
    await headphone.pressButton()
    try await conversation.driver.perform(.set(.microphoneMuted, .toggle(true)))
    #expect(
      await conversation.reported(.preset) == [.choice("everyday"), .choice("restaurant")])
  }

  @Test(
    arguments: [
      (0x80, "know this request"), (0x82, "do not pass a preset on"), (0x84, "1 to 40 bytes"),
    ] as [(UInt8, String)])
  func `errors of the service have its words`(code: UInt8, words: String) async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    await conversation.phone.headphone.injectFaults {
      $0.refusedWrites = [.presetControlPoint: ATTErrorCode(rawValue: code)]
    }
    guard case .service(let text)? = await conversation.failure(of: .set(.preset, .choice("music")))
    else { return #expect(Bool(false)) }
    #expect(text.contains(words))
    _ = await conversation.all()
  }

  @Test func `identifiers of presets are unique, whatever their names`() {
    var generator = SeededGenerator(seed: 49)
    let words = ["Music", "MUSIC!", "music 5", "Music-5-5", "5", "", "none", "Preset 3", "Ü", "?"]
    for _ in 0..<Thoroughness.rounds(2_000, thorough: 200_000) {
      var list = PresetList()
      list.beginReading()
      let indexes = (1...9).filter { _ in generator.below(2) == 0 } + [9]
      for index in Set(indexes).sorted() {
        let name = words[generator.below(words.count)]
        let record = PresetMessage.record(HearingPreset(UInt8(index), name), isLast: index == 9)
        _ = try? list.receive(record.encoded()[...])
      }
      let ids = list.choices.map(\.id)
      #expect(Set(ids).count == ids.count && !ids.contains(PresetList.none), "\(list.presets)")
    }
  }

  @Test func `an aid may have 255 presets`() async throws {
    let presets = (1...255).map { HearingPreset(UInt8($0), "Room \($0)") }
    let conversation = try await Conversation { $0.presets = presets }
    let able = try await conversation.driver.start().capabilities
    guard case .choice(let choices)? = able.declaration(of: .preset)?.kind
    else { return #expect(Bool(false)) }
    #expect(choices.map(\.title) == presets.map(\.name))
    try await conversation.driver.perform(.set(.preset, .choice("room-255")))
    #expect(await conversation.phone.headphone.hearingAid?.active == 255)
    _ = await conversation.all()
  }

  @Test func `a control point that never answers ends the link after thirty seconds`() async throws
  {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    await conversation.phone.headphone.injectFaults { $0.requests = .never }
    let outcome = Task { await conversation.failure(of: .set(.preset, .choice("music"))) }
    await conversation.phone.requestClock.pass(.seconds(30))
    #expect(await outcome.value == .closed(BearerClosed(.requestTimeout)))
    #expect(await conversation.reported(.preset) == [.choice("everyday")])
  }

  @Test func `a preset that is gone by now is refused, and the list is read again`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    await conversation.phone.headphone.changeQuietly { $0.presets.removeLast(2) }
    #expect(
      await conversation.failure(of: .set(.preset, .choice("music")))
        == .unsupported("preset \"Music\" now"))
    #expect(
      await conversation.failure(of: .set(.preset, .choice("music")))
        == .badArgument("preset: music"))
    _ = await conversation.all()
  }

  @Test func `an aid without presets has none to choose`() async throws {
    let conversation = try await Conversation { $0.presets = [] }
    let able = try await conversation.driver.start().capabilities
    #expect(!able.declares(.preset) && able.declares(.microphoneMuted))
    _ = await conversation.all()
  }

  @Test func `what ASHA says is shown`() async throws {
    let conversation = try await Conversation(.rightAid)
    _ = try await conversation.driver.start()
    #expect(
      await conversation.reported(.asha) == [.text("right, one of two, G.722 at 16 kHz")])
  }

  @Test func `a link that ends while a preset is awaited ends the command`() async throws {
    let conversation = try await Conversation { $0.ignoresPresets = true }
    _ = try await conversation.driver.start()
    let outcome = Task { await conversation.failure(of: .set(.preset, .choice("music"))) }
    await conversation.clock.sleepers(1)
    await conversation.client.close()
    #expect(await outcome.value != nil)
  }

  /// The refusals of an aid, with the error codes of the standards.
  @Test(
    arguments: [
      (.presetControlPoint, [0x0B], 0x80), (.presetControlPoint, [0x04, 0x02, 0x41], 0x81),
      (.presetControlPoint, [0x09], 0x82), (.presetControlPoint, [0x05, 0x09], 0x83),
      (.presetControlPoint, [0x04, 0x01], 0x84), (.presetControlPoint, [0x05, 0x63], 0xFF),
      (.presetControlPoint, [0x01, 0x00, 0x01], 0xFF),
      (.offsetControlPoint, [0x01, 0x28, 0x0A, 0x00], 0x80),
      (.offsetControlPoint, [0x00, 0x00, 0x78, 0x00], 0x81),
      (.offsetControlPoint, [0x01, 0x00, 0x0E, 0x01], 0x82),
      (.offsetControlPoint, [0x01, 0x00, 0xF2, 0xFE], 0x82),
      (.inputControlPoint, [0x01, 0x64, 0x01], 0x80), (.inputControlPoint, [0x02, 0x65], 0x80),
      (.inputControlPoint, [0x01, 0x03, 0x7F], 0x83), (.microphoneMute, [0x02], 0x13),
    ] as [(BluetoothUUID, [UInt8], UInt8)])
  func `refusals`(_ type: BluetoothUUID, _ bytes: [UInt8], _ code: UInt8) async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    let characteristic = try #require(await conversation.client.database.characteristic(type))
    do throws(GATTError) {
      try await conversation.client.write(bytes[...], to: characteristic)
      Issue.record("accepted")
    } catch {
      guard case .att(let refusal) = error else { throw error }
      #expect(refusal.code.rawValue == code)
    }
    _ = await conversation.all()
  }
}
