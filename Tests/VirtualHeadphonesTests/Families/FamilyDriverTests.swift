import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Configuration
import HeadphoneDrivers
import HeadphoneProtocols
import Locking
import TestSupport
import Testing
import VirtualHeadphones

/// Other makers' headphones over a link.
@Suite struct FamilyDriverTests {
  /// A bearer that withholds services.
  private struct HeldBearer: ForwardingBearer {
    let base: any Bearer
    let withheldServices: Set<BluetoothUUID>
  }

  /// A started driver and its events.
  private struct Conversation {
    let phone: Phone
    let client: GATTClient
    let driver: GATTDriver
    let emitter: EventEmitter
    let events: HeadphoneEvents
    let clock = ManualClock()

    init(
      _ model: VirtualModel, forced: HeadphoneFamily? = nil, models: ModelCatalog = .bundled,
      withheld: Set<BluetoothUUID> = []
    ) async throws {
      phone = Phone(model)
      client = GATTClient(
        bearer: HeldBearer(base: try await phone.bearer(), withheldServices: withheld),
        clock: phone.requestClock)
      (emitter, events) = EventEmitter.makeEvents()
      driver = GATTDriver(
        client: client, forced: forced, models: models, clock: clock, emitter: emitter)
    }

    /// Ends the link, and returns all events until then.
    func reported() async -> [HeadphoneEvent] {
      await client.close()
      return await events.reduce(into: []) { $0.append($1) }
        .filter { if case .starting = $0 { false } else { true } }
    }
  }

  @Test(arguments: [
    (VirtualModel.aurora, "Earshot protocol"), (.nothing, "Nothing / CMF"),
    (.nothingHeadphone, "Nothing / CMF"), (.soundcore, "Soundcore"),
    (.soundcoreBuds, "Soundcore"), (.jbl, "JBL"), (.qcy, "QCY"),
    (.standardBuds, "standard services"),
  ])
  func `the services choose the driver`(_ model: VirtualModel, _ driver: String) async throws {
    var nameless = model
    nameless.name = "?"
    let conversation = try await Conversation(nameless)
    #expect(try await conversation.driver.start().driver == driver)
    _ = await conversation.reported()
  }

  @Test func `JBL's slots are ordered together and read back`() async throws {
    let conversation = try await Conversation(.jbl)
    let able = try await conversation.driver.start().capabilities
    #expect(able.batteries == Part.allCases && able.declares("talk-through"))
    #expect(able.ancModes == [.off, .noiseCancelling, .transparency])
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    try await conversation.driver.perform(.set("talk-through", .toggle(true)))
    let events = await conversation.reported()
    #expect(events.contains(.ancChanged(.noiseCancelling)))
    #expect(
      events.last { if case .ancChanged = $0 { true } else { false } } == .ancChanged(.transparency)
    )
    #expect(events.contains(.settingChanged("talk-through", .toggle(true))))
  }

  @Test func `QCY's modes are read back, and so is cancelling for outdoors`() async throws {
    let conversation = try await Conversation(.qcy)
    let able = try await conversation.driver.start().capabilities
    #expect(able.batteries == Part.allCases && able.declares("outdoor-cancelling"))
    #expect(able.ancModes == [.off, .noiseCancelling, .transparency])
    try await conversation.driver.perform(.set("outdoor-cancelling", .toggle(true)))
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.set(.wearDetection, .toggle(true)))
    let gains = able.eqCentres.map { BandGain(halfDecibels: $0 < 100 ? 12 : -3) ?? .flat }
    try await conversation.driver.perform(.setCustomEQ(gains))
    #expect(able.eqBands == 10 && able.eqLimit.decibels == 8 && able.declares("low-latency"))
    let events = await conversation.reported()
    #expect(events.contains(.settingChanged(.wearDetection, .toggle(true))))
    #expect(events.contains(.eqChanged(.custom, bands: gains)))
    #expect(events.contains(.settingChanged("outdoor-cancelling", .toggle(true))))
    #expect(events.contains(.ancChanged(.transparency)))
    #expect(
      events.contains(
        .batteryChanged([
          .left: Battery(level: 87, isCharging: true),
          .right: Battery(level: 76, isCharging: false),
          .case: Battery(level: 64, isCharging: false),
        ])))
  }

  @Test(
    arguments: [
      // The firmware says so; a report says so; neither: read, and not set.
      ("SPTS04_20221202_V62", 0x02, [0x63] as [UInt8]), (nil, 0xA5, [0x63]), (nil, 0x02, []),
      ("1.0.3", 0x02, []),
    ] as [(String?, UInt8, [UInt8])])
  func `SoundPEATS is told from QCY, and set once that is certain`(
    _ firmware: String?, _ noise: UInt8, _ set: [UInt8]
  ) async throws {
    var earbuds = VirtualQCY(levels: [0x63, 0x64, 0])
    (earbuds.firmware, earbuds.noise) = (firmware, noise)
    var model = VirtualModel.qcy
    model.family = .lowEnergy(VirtualLE(earbuds))
    let conversation = try await Conversation(model)
    let description = try await conversation.driver.start()
    #expect(description.information.firmware == firmware)
    #expect(
      description.information.manufacturer == (set.isEmpty ? nil : "SoundPEATS"))
    #expect(description.capabilities.ancModes.isEmpty == set.isEmpty)
    do throws(HeadphoneError) {
      try await conversation.driver.perform(.setANC(.noiseCancelling))
      #expect(!set.isEmpty)
    } catch {
      #expect(set.isEmpty && error == .noMode(.noiseCancelling))
    }
    guard case .lowEnergy(let own) = await conversation.phone.headphone.family else { return }
    #expect((own.headphone as? VirtualQCY)?.noise == set.first ?? noise)
    _ = await conversation.reported()
  }

  @Test func `earbuds that ignore the frames have their battery and firmware read`() async throws {
    var earbuds = VirtualQCY(levels: [0x63, 0x64, 0])
    (earbuds.firmware, earbuds.isSilent) = ("1.0.3", true)
    var model = VirtualModel.qcy
    model.family = .lowEnergy(VirtualLE(earbuds))
    let conversation = try await Conversation(model)
    let start = Task { try await conversation.driver.start() }
    // Two queries, each of them twice.
    for _ in 0..<4 {
      await conversation.clock.pass(.seconds(1))
    }
    let description = try await start.value
    #expect(description.capabilities.batteries == [.left, .right])
    #expect(description.information.firmware == "1.0.3")
    let levels: [Part: Battery] = [
      .left: Battery(level: 99, isCharging: false), .right: Battery(level: 100, isCharging: false),
    ]
    #expect(await conversation.reported().contains(.batteryChanged(levels)))
  }

  /// Pairs, and discovers the services as on a first connection with a server without Database
  /// Hash.
  private func pairedPhone(
    _ model: VirtualModel, _ family: HeadphoneFamily
  ) async throws -> (phone: Phone, cache: GATTCache, requests: Int) {
    let phone = Phone(model)
    let client = try await phone.connect()
    try await client.bearer.raiseSecurity(to: .medium)
    let (emitter, events) = EventEmitter.makeEvents()
    let driver = GATTDriver(
      client: client, forced: family, models: .bundled, clock: ManualClock(), emitter: emitter)
    let requests = try await driver.start().requests
    // The subscription to Service Changed comes after the start.
    try await client.watchForServiceChanges()
    var cache = try #require(await client.cache)
    cache.hash = nil
    await client.close()
    for await _ in events {}
    return (phone, cache, requests)
  }

  @Test(arguments: [
    (VirtualModel.nothing, HeadphoneFamily.nothing), (.soundcore, .soundcore),
    (.standardBuds, .standard),
  ])
  func `a bonded headphone of any family is not discovered again`(
    _ model: VirtualModel, _ family: HeadphoneFamily
  ) async throws {
    let (phone, cache, requests) = try await pairedPhone(model, family)
    let client = try await phone.connect()
    let driver = GATTDriver(
      client: client, forced: family, models: .bundled, clock: ManualClock(), cache: cache,
      isBonded: true, emitter: EventEmitter.makeEvents().0)
    #expect(try await driver.start().requests <= requests - 4)
    #expect(await client.bearer.security == .medium)
    await client.close()
  }

  @Test func `services of another maker that changed while it was away are used`() async throws {
    let (phone, cache, _) = try await pairedPhone(.nothing, .nothing)
    await phone.headphone.replaceServices { services in
      services.map { service in
        var service = service
        if service.uuid == NothingProtocol.service { service.firstHandle = 0x300 }
        return service
      }
    }
    let client = try await phone.connect()
    let driver = GATTDriver(
      client: client, forced: .nothing, models: .bundled, clock: ManualClock(), cache: cache,
      isBonded: true, emitter: EventEmitter.makeEvents().0)
    #expect(try await driver.start().information.firmware == "1.0.1.52")
    #expect(await client.database.service(NothingProtocol.service)?.range.start == 0x300)
    try await driver.perform(.setANC(.noiseCancelling))
    await client.close()
  }

  @Test
  func `a command in the moment in which another maker's services move is carried out`()
    async throws
  {
    for delay in 0..<40 {
      let phone = Phone(.nothing)
      let client = try await phone.connect()
      let driver = GATTDriver(
        client: client, clock: ManualClock(), emitter: EventEmitter.makeEvents().0)
      _ = try await driver.start()
      try await client.watchForServiceChanges()
      await phone.headphone.replaceServices { services in
        services.map { service in
          var service = service
          if service.uuid == NothingProtocol.service { service.firstHandle = 0x300 }
          return service
        }
      }
      for _ in 0..<delay { _ = await client.mtu }
      try await driver.perform(.setANC(.transparency))
      await client.close()
    }
  }

  @Test func `a person's word goes before the services`() async throws {
    let conversation = try await Conversation(.standardBuds, forced: .nothing)
    await #expect(throws: HeadphoneError.notAHeadphone(missing: "Nothing / CMF service")) {
      try await conversation.driver.start()
    }
    #expect(await conversation.reported() == [])
    let plain = try await Conversation(.aurora, forced: .standard)
    let description = try await plain.driver.start()
    #expect(description.driver == "standard services")
    #expect(description.capabilities.ancModes.isEmpty)
    #expect(description.capabilities.batteries == Part.allCases)
    _ = await plain.reported()
  }

  @Test func `a headphone of the protocol takes no more requests than before`() async throws {
    let chosen = try await Conversation(.aurora)
    let phone = Phone()
    let direct = GATTDriver(
      client: try await phone.connect(), forced: .earshot, clock: ManualClock())
    #expect(try await chosen.driver.start().requests == direct.start().requests)
    #expect(chosen.driver.firmwareLink != nil)
    _ = await chosen.reported()
    await direct.client.close()
  }

  @Test func `Nothing's headphone is read, and changed, and every change is reported once`()
    async throws
  {
    let conversation = try await Conversation(.nothing)
    let description = try await conversation.driver.start()
    #expect(description.information.firmware == "1.0.1.52")
    #expect(description.capabilities.ancLevels == 1...3)
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    try await conversation.driver.perform(.setANCLevel(1))
    try await conversation.driver.perform(.setEQ(.vocal))
    try await conversation.driver.perform(.set(.wearDetection, .toggle(false)))
    try await conversation.driver.perform(.find(.left, isOn: true))
    guard case .lowEnergy(let own) = await conversation.phone.headphone.family,
      let nothing = own.headphone as? VirtualNothing
    else { return }
    #expect(nothing.noise == .low && nothing.eq == 1 && !nothing.detectsWearing)
    #expect(nothing.ringing == [2])
    #expect(
      await conversation.reported() == [
        .batteryChanged([
          .left: Battery(level: 60, isCharging: false),
          .right: Battery(level: 58, isCharging: false),
          .case: Battery(level: 50, isCharging: true),
        ]),
        .ancChanged(.transparency), .eqChanged(.balanced, bands: gains([4, 0, 2])),
        .settingChanged(.wearDetection, .toggle(true)),
        .ancChanged(.noiseCancelling), .ancLevelChanged(3), .ancLevelChanged(1),
        .eqChanged(.vocal, bands: gains([4, 0, 2])),
        .settingChanged(.wearDetection, .toggle(false)),
        .findChanged(.left),
      ])
  }

  private func gains(_ halves: [Int8]) -> [BandGain] {
    halves.compactMap(BandGain.init(halfDecibels:))
  }

  @Test func `Nothing's own gains are read, changed and read back`() async throws {
    let conversation = try await Conversation(.nothing)
    let description = try await conversation.driver.start()
    #expect(description.capabilities.eqCentres == [140, 980, 3400])
    try await conversation.driver.perform(.setCustomEQ(gains([-12, 1, 12])))
    guard case .lowEnergy(let own) = await conversation.phone.headphone.family,
      let nothing = own.headphone as? VirtualNothing
    else { return }
    #expect(nothing.eq == 5)
    #expect(nothing.gains?.bands.map(\.gain) == [0.5, 6, -6])
    #expect(nothing.gains?.bands.map(\.quality) == [0.7, 1, 0.8])
    await #expect(
      throws: HeadphoneError.badArgument("a gain beyond 6 dB: this headphone has -6 to 6 dB")
    ) {
      try await conversation.driver.perform(.setCustomEQ(gains([0, 0, 13])))
    }
    await #expect(throws: HeadphoneError.badArgument("this headphone takes 3 gains, not 2")) {
      try await conversation.driver.perform(.setCustomEQ(gains([0, 0])))
    }
    #expect(await conversation.reported().last == .eqChanged(.custom, bands: gains([-12, 1, 12])))
  }

  @Test func `a headphone of Nothing without gains and noise control is ready without a wait`()
    async throws
  {
    var model = VirtualModel.nothing
    guard case .lowEnergy(let own) = model.family, var nothing = own.headphone as? VirtualNothing
    else { return }
    (nothing.gains, nothing.noise) = (nil, nil)
    model.family = .lowEnergy(VirtualLE(nothing))
    let whole = try await Conversation(.nothing)
    let conversation = try await Conversation(model)
    // Nobody advances the clock: a question that is waited for would never end.
    let description = try await conversation.driver.start()
    #expect(description.capabilities.eqPresets == EQPreset.allCases)
    #expect(description.capabilities.eqBands == 0 && description.capabilities.ancModes.isEmpty)
    #expect(description.information.firmware == "1.0.1.52")
    #expect(description.requests == (try await whole.driver.start()).requests)
    #expect(await conversation.reported().contains(.eqChanged(.balanced, bands: nil)))
    _ = await whole.reported()
  }

  @Test func `a headphone of Nothing that answers in another order has all that it has`()
    async throws
  {
    var model = VirtualModel.nothing
    guard case .lowEnergy(let own) = model.family, var nothing = own.headphone as? VirtualNothing
    else { return }
    nothing.respondsInReverse = true
    model.family = .lowEnergy(VirtualLE(nothing))
    let conversation = try await Conversation(model)
    let whole = try await Conversation(.nothing)
    // Nobody advances the clock: nothing is asked twice.
    let (description, expected) = try await (
      conversation.driver.start(), whole.driver.start()
    )
    #expect(description.capabilities == expected.capabilities)
    #expect(description.requests == expected.requests)
    #expect(await conversation.reported().contains(.eqChanged(.balanced, bands: gains([4, 0, 2]))))
    _ = await whole.reported()
  }

  @Test func `what the headphone does not take is said, and the link is kept`() async throws {
    var model = VirtualModel.nothing
    guard case .lowEnergy(let own) = model.family, var nothing = own.headphone as? VirtualNothing
    else { return }
    nothing.missing = [.adaptive]
    model.family = .lowEnergy(VirtualLE(nothing))
    let conversation = try await Conversation(model)
    _ = try await conversation.driver.start()
    let driver = conversation.driver
    let outcome = Task { await driver.failure(of: .setANC(.adaptive)) }
    // The question behind the command is asked three times, a second apart.
    for _ in 0..<3 { await conversation.clock.pass(.seconds(1)) }
    #expect(await outcome.value == .unsupported("noise control mode \"adaptive\""))
    try await driver.perform(.setANC(.off))
    _ = await conversation.reported()
  }

  @Test func `Soundcore's headphone is read and changed`() async throws {
    let conversation = try await Conversation(.soundcore)
    let description = try await conversation.driver.start()
    #expect(description.information.serial == "3029086EC82F12AC")
    #expect(description.information.firmware == "02.30")
    let gains = (0..<8).compactMap { BandGain(halfDecibels: $0) }
    try await conversation.driver.perform(.setANC(.transparency))
    try await conversation.driver.perform(.setEQ(.bassBoost))
    try await conversation.driver.perform(.setCustomEQ(gains))
    try await conversation.driver.perform(.set("cancelling-scene", .choice("indoor")))
    guard case .lowEnergy(let own) = await conversation.phone.headphone.family,
      let soundcore = own.headphone as? VirtualSoundcore
    else {
      Issue.record("it is another headphone")
      return
    }
    #expect(soundcore.state[35..<39] == [1, 2, 1, 0])
    #expect(
      try SoundcoreEQ(decoding: soundcore.state[2..<12]).tenths == [0, 5, 10, 15, 20, 25, 30, 35])
    let reported = await conversation.reported()
    #expect(reported.contains(.ancChanged(.transparency)))
    #expect(reported.contains(.batteryChanged([.left: Battery(step: 5, of: 5, isCharging: false)])))
    #expect(reported.contains(.eqChanged(.custom, bands: gains)))
  }

  @Test func `a Soundcore model whose state is unknown is useful all the same`() async throws {
    let conversation = try await Conversation(.soundcoreBuds)
    let description = try await conversation.driver.start()
    #expect(description.capabilities.batteries == [.left, .right])
    #expect(description.capabilities.ancModes.isEmpty && description.capabilities.eqBands == 0)
    await #expect(throws: HeadphoneError.unsupported("equaliser")) {
      try await conversation.driver.perform(.setEQ(.balanced))
    }
    let reported = await conversation.reported()
    guard case .unknown = reported.first else {
      Issue.record("\(reported)")
      return
    }
  }

  @Test func `a person's file gives a Soundcore model its name, its parts and its modes`()
    async throws
  {
    var model = HeadphoneModel(id: "acme", name: "Acme Band", family: .soundcore)
    model.marks.service = 0x0100
    model.shape = .headband
    model.ancModes = [.off, .noiseCancelling]
    let conversation = try await Conversation(
      .soundcore, models: ModelCatalog.bundled.under([model]))
    let description = try await conversation.driver.start()
    #expect(description.information.model == "Acme Band")
    #expect(description.capabilities.batteries == [.left])
    #expect(description.capabilities.ancModes == [.off, .noiseCancelling])
    await #expect(throws: HeadphoneError.unsupported("noise control mode \"transparency\"")) {
      try await conversation.driver.perform(.setANC(.transparency))
    }
    try await conversation.driver.perform(.setANC(.noiseCancelling))
    _ = await conversation.reported()
  }

  @Test func `parts that a model has not are not drawn, whatever it tells`() async throws {
    var model = HeadphoneModel(id: "acme", name: "Acme Buds", family: .standard)
    model.marks.numbers = ["LE Buds"]
    model.shape = .headband
    let conversation = try await Conversation(.standardBuds, models: ModelCatalog([model]))
    #expect(try await conversation.driver.start().capabilities.batteries == [.left])
    _ = await conversation.reported()
  }

  @Test func `any headphone tells batteries and information, and rings`() async throws {
    let conversation = try await Conversation(.standardBuds)
    let description = try await conversation.driver.start()
    #expect(description.information.model == "LE Buds")
    #expect(description.capabilities.batteries == [.left, .right])
    #expect(description.capabilities.hasFind && description.capabilities.eqPresets.isEmpty)
    #expect(
      description.missing == [
        "noise control, equaliser: no service of a family that Earshot knows"
      ])
    try await conversation.driver.perform(.find(.both, isOn: true))
    await #expect(throws: HeadphoneError.unsupported("standard services command for this")) {
      try await conversation.driver.perform(.setANC(.off))
    }
    #expect(
      await conversation.reported() == [
        .batteryChanged([.left: Battery(level: 80), .right: Battery(level: 75)]),
        .volumeChanged(HeadphoneVolume(level: 50, isMuted: false)), .findChanged(.both),
      ])
  }

  @Test func `the headphone's own volume is set by the counter of its changes`() async throws {
    let conversation = try await Conversation(.standardBuds)
    #expect(try await conversation.driver.start().capabilities.hasVolume)
    let volumes = [
      HeadphoneVolume(level: 20, isMuted: false), HeadphoneVolume(level: 20, isMuted: true),
      HeadphoneVolume(level: 100, isMuted: false),
    ]
    for volume in volumes { try await conversation.driver.perform(.setVolume(volume)) }
    let state = await conversation.phone.headphone.value(of: .volumeState)
    // Four orders: the last volume takes two.
    #expect(state == [255, 0, 11])
    let reported = await conversation.reported()
    for volume in volumes { #expect(reported.count { $0 == .volumeChanged(volume) } == 1) }
  }

  @Test(arguments: [true, false])
  func `a volume that bluetoothd keeps for itself is named, and refused with that`(
    isWithheld: Bool
  ) async throws {
    let conversation = try await Conversation(
      .standardBuds, withheld: isWithheld ? [.volumeControl] : [.coordinatedSet])
    let description = try await conversation.driver.start()
    let line = "volume: bluetoothd keeps it for itself"
    #expect(description.isVolumeWithheld == isWithheld)
    #expect(description.missing.contains(line) == isWithheld)
    await conversation.phone.headphone.injectFaults {
      $0.refusedWrites[.volumeControlPoint] = .writeNotPermitted
    }
    do throws(HeadphoneError) {
      try await conversation.driver.perform(.setVolume(HeadphoneVolume(level: 20, isMuted: false)))
      Issue.record("it is done")
    } catch {
      #expect((error == .withheld) == isWithheld, "\(error)")
    }
    _ = await conversation.reported()
  }

  @Test func `a counter that is always refused is an error, and the link is kept`() async throws {
    let conversation = try await Conversation(.standardBuds)
    _ = try await conversation.driver.start()
    await conversation.phone.headphone.injectFaults {
      $0.refusedWrites[.volumeControlPoint] = ATTErrorCode(rawValue: 0x80)
    }
    await #expect(throws: HeadphoneError.self) {
      try await conversation.driver.perform(.setVolume(HeadphoneVolume(level: 20, isMuted: false)))
    }
    await conversation.phone.headphone.injectFaults { $0.refusedWrites = [:] }
    try await conversation.driver.perform(.setVolume(HeadphoneVolume(level: 20, isMuted: false)))
    _ = await conversation.reported()
  }

  @Test func `a headphone that falls silent is asked again, then given up`() async throws {
    let conversation = try await Conversation(.nothing)
    _ = try await conversation.driver.start()
    await conversation.phone.headphone.stopResponding()
    let driver = conversation.driver
    let outcome = Task { await driver.failure(of: .setANC(.off)) }
    for _ in 0..<2 {
      await conversation.clock.pass(.seconds(2))
    }
    #expect(await outcome.value == .noResponse)
    _ = await conversation.reported()
  }

  @Test func `a mode that is set behind a level keeps that level`() async throws {
    let conversation = try await Conversation(.nothing)
    let driver = conversation.driver
    _ = try await driver.start()
    await conversation.phone.headphone.stopResponding()
    let level = Task { try await driver.perform(.setANCLevel(1)) }
    await conversation.clock.sleepers(1)
    let mode = Task.immediate { try await driver.perform(.setANC(.noiseCancelling)) }
    await conversation.phone.headphone.resumeResponding()
    await conversation.clock.pass(.seconds(2))
    try await level.value
    try await mode.value
    guard case .lowEnergy(let own) = await conversation.phone.headphone.family,
      let nothing = own.headphone as? VirtualNothing
    else { return }
    #expect(nothing.noise == .low)
    _ = await conversation.reported()
  }

  @Test(arguments: [VirtualModel.nothing, .jbl, .qcy, .soundcore])
  func `a headphone that is silent while it is read again does what it did before`(
    _ model: VirtualModel
  ) async throws {
    let conversation = try await Conversation(model)
    let driver = conversation.driver
    let able = try await driver.start().capabilities
    await conversation.phone.headphone.stopResponding()
    let hasEnded = Mutex(false)
    let refresh = Task {
      defer { hasEnded.withLock { $0 = true } }
      try await driver.refresh()
    }
    // Families ask in different numbers of parts, each of which has its time.
    while !hasEnded.withLock(\.self) {
      conversation.clock.jump(by: .seconds(1))
      await Task.yield()
    }
    await #expect(throws: HeadphoneError.noResponse) { try await refresh.value }
    await conversation.phone.headphone.resumeResponding()
    try await driver.perform(.setANC(.transparency))
    try await driver.refresh()
    for case .described(let description) in await conversation.reported() {
      #expect(description.capabilities == able)
    }
  }

  @Test func `AirPods are received and cannot be connected`() async throws {
    let phone = Phone(.airPods)
    await #expect(throws: RadioError.refused) { try await phone.connect() }
  }
}

extension GATTDriver {
  /// Returns why a command failed, or nil if it succeeded.
  fileprivate func failure(of command: HeadphoneCommand) async -> HeadphoneError? {
    do throws(HeadphoneError) {
      try await perform(command)
      return nil
    } catch {
      return error
    }
  }
}
