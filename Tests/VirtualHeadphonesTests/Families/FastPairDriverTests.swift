import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import HeadphoneDrivers
import HeadphoneProtocols
import Locking
import TestSupport
import Testing
import VirtualHeadphones

/// Fast Pair's message stream of a headphone with standard services.
@Suite struct FastPairDriverTests {
  /// A radio whose audio links and channels are determined by the test.
  private final class AudioLinks: Radio {
    private let base: VirtualRadio
    private let changes = AsyncStream<[RadioLink]>.makeStream()
    private let failure = Mutex<RadioError?>(nil)
    private let opened = Mutex(0)

    init(_ base: VirtualRadio) { self.base = base }

    var openings: Int { opened.withLock { $0 } }

    func fail(with error: RadioError?) { failure.withLock { $0 = error } }

    func report(isUp: Bool) {
      let address = VirtualModel.fastPairBuds.address.address
      let link = RadioLink(
        kind: .acl, address: address, state: .connected, handle: 1, isEncrypted: true)
      changes.continuation.yield(isUp ? [link] : [])
    }

    func adapters() async throws(RadioError) -> [Adapter] { try await base.adapters() }

    func links() -> AsyncStream<[RadioLink]> { changes.stream }

    func scan(_ options: ScanOptions) -> AsyncThrowingStream<DiscoveredPeripheral, any Error> {
      base.scan(options)
    }

    func connect(
      to peer: PeerAddress, timeout: Duration
    ) async throws(RadioError) -> any Bearer { try await base.connect(to: peer, timeout: timeout) }

    func connect(
      to address: BluetoothAddress, service: BluetoothUUID, channel: UInt8?, timeout: Duration
    ) async throws(RadioError) -> (any Bearer)? {
      opened.withLock { $0 += 1 }
      if let error = failure.withLock({ $0 }) { throw error }
      return try await base.connect(to: address, service: service, timeout: timeout)
    }
  }

  private struct Conversation {
    let phone: Phone
    let client: GATTClient
    let radio: AudioLinks
    let driver: GATTDriver
    let emitter: EventEmitter
    let events: HeadphoneEvents
    let clock = ManualClock()

    init(
      _ model: VirtualModel = .fastPairBuds, hasAudioSide: Bool = true,
      _ change: @Sendable (inout VirtualFastPair) -> Void = { _ in }
    ) async throws {
      phone = Phone(model)
      await phone.headphone.become(change)
      client = try await phone.connect()
      radio = AudioLinks(phone.radio)
      (emitter, events) = EventEmitter.makeEvents()
      driver = GATTDriver(
        client: client, clock: clock,
        audioSide: hasAudioSide ? AudioDeviceInfo(of: model.address, on: radio) : nil,
        emitter: emitter)
    }

    /// Ends the link, and returns all events until then.
    func reported() async -> [HeadphoneEvent] {
      await client.close()
      return await events.reduce(into: []) { $0.append($1) }
        .filter { if case .starting = $0 { false } else { true } }
    }

    /// Returns the first matching event.
    func next(_ isWanted: (HeadphoneEvent) -> Bool) async -> HeadphoneEvent? {
      await events.first { isWanted($0) }
    }

    var ringing: UInt8? {
      get async {
        guard case .fastPair(let reported) = await phone.headphone.family else { return nil }
        return reported.ringing
      }
    }
  }

  private static let parts: [Part: Battery] = [
    .left: Battery(level: 87, isCharging: false), .right: Battery(level: 65, isCharging: false),
    .case: Battery(level: 50, isCharging: true),
  ]

  @Test func `the stream tells every battery, the firmware, and lets each bud ring`()
    async throws
  {
    let conversation = try await Conversation()
    let description = try await conversation.driver.start()
    #expect(description.driver == "standard services")
    #expect(description.capabilities.batteries == Part.allCases && description.capabilities.hasFind)
    #expect(description.information.model == "Fast Pair AABBCC")
    #expect(description.information.manufacturer == "Somebody")
    #expect(!description.missing.contains { $0.contains("Fast Pair") })
    try await conversation.driver.perform(.find(.left, isOn: true))
    #expect(await conversation.ringing == 2)
    try await conversation.driver.perform(.find(.right, isOn: true))
    #expect(await conversation.ringing == 3)
    try await conversation.driver.perform(.find(.both, isOn: false))
    #expect(await conversation.ringing == 0)
    let reported = await conversation.reported().filter {
      if case .described = $0 { false } else { true }
    }
    #expect(
      reported == [
        .batteryChanged([.left: Battery(level: 65)]), .batteryChanged(Self.parts),
        .settingChanged("remaining-time", .text("2 h 15 min")),
        .volumeChanged(HeadphoneVolume(level: 50, isMuted: false)), .findChanged(.left),
        .findChanged(.both), .findChanged([]),
      ])
  }

  @Test func `what comes later is described again: a firmware, a case`() async throws {
    let conversation = try await Conversation {
      ($0.firmware, $0.battery) = (nil, [0x57, 0x41, 0x7F])
    }
    let description = try await conversation.driver.start()
    #expect(description.capabilities.batteries == [.left, .right])
    await conversation.phone.headphone.say(
      FastPairMessage(.firmware, Array("3.2".utf8)).encoded()
        + FastPairMessage(.battery, [0x57, 0x41, 0x32]).encoded())
    let later = await conversation.next {
      if case .described(let now) = $0 { now.capabilities.batteries.count == 3 } else { false }
    }
    guard case .described(let now)? = later else { return }
    #expect(now.information.firmware == "3.2" && now.capabilities.hasCase)
    await conversation.client.close()
  }

  @Test func `a touch that ends the ringing is reported, and acknowledged`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    try await conversation.driver.perform(.find(.both, isOn: true))
    await conversation.phone.headphone.say([0x04, 0x01, 0x00, 0x01, 0x00])
    #expect(await conversation.next { $0 == .findChanged([]) } != nil)
    // Behind the acknowledgement, in the same order.
    try await conversation.driver.perform(.find(.left, isOn: true))
    guard case .fastPair(let reported) = await conversation.phone.headphone.family else { return }
    #expect(reported.acknowledged == [[0x04, 0x01, 0x00]])
    await conversation.client.close()
  }

  @Test func `a bud that is worn refuses, in words, and nothing rings`() async throws {
    let conversation = try await Conversation { $0.refusal = 2 }
    _ = try await conversation.driver.start()
    await #expect(throws: HeadphoneError.refused(.wrongState)) {
      try await conversation.driver.perform(.find(.left, isOn: true))
    }
    #expect(await conversation.ringing == 0)
    #expect(await !conversation.reported().contains(.findChanged(.left)))
  }

  @Test func `a headphone that cannot ring by the stream rings by the alert service`()
    async throws
  {
    let conversation = try await Conversation { $0.refusal = 0 }
    _ = try await conversation.driver.start()
    try await conversation.driver.perform(.find(.both, isOn: true))
    #expect(await conversation.reported().contains(.findChanged(.both)))
  }

  @Test func `an order without an acknowledgement is asked for again, and then not true`()
    async throws
  {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    await conversation.phone.headphone.become { $0.isSilent = true }
    let driver = conversation.driver
    let outcome = Task { () -> HeadphoneError? in
      do throws(HeadphoneError) {
        try await driver.perform(.find(.left, isOn: true))
        return nil
      } catch {
        return error
      }
    }
    for _ in 0..<2 {
      await conversation.clock.pass(.seconds(2))
    }
    #expect(await outcome.value == .noResponse)
    #expect(await !conversation.reported().contains(.findChanged(.left)))
  }

  @Test func `a stream that ends takes nothing with it but itself`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    await conversation.phone.headphone.closeStream()
    let hasNotified =
      await conversation.next {
        guard case .described(let now) = $0 else { return false }
        return now.missing.contains { $0.hasSuffix("Fast Pair's message stream: it has ended") }
      } != nil
    #expect(hasNotified)
    // The alert service is there.
    try await conversation.driver.perform(.find(.both, isOn: true))
    #expect(await conversation.reported().contains(.findChanged(.both)))
  }

  @Test func `a stream that another program holds is reported, and the rest is there`() async throws
  {
    let conversation = try await Conversation()
    conversation.radio.fail(with: .busy("another program holds the link to this headphone"))
    let description = try await conversation.driver.start()
    #expect(description.capabilities.batteries == [.left])
    #expect(
      description.missing.first
        == "battery of each part, find by side: Fast Pair's message stream: another program holds it"
    )
    // Looked for again when a person reads all again.
    conversation.radio.fail(with: nil)
    try await conversation.driver.refresh()
    let reported = await conversation.reported()
    #expect(reported.contains(.noted("Fast Pair's message stream: another program holds it")))
    #expect(reported.contains(.batteryChanged(Self.parts)))
  }

  @Test func `sound that is connected later brings the stream, after a timestamp`() async throws {
    let conversation = try await Conversation()
    await conversation.phone.headphone.setSounding(false)
    let description = try await conversation.driver.start()
    #expect(description.capabilities.batteries == [.left])
    #expect(description.missing.first?.hasSuffix("its sound is not connected here") == true)
    await conversation.phone.headphone.setSounding(true)
    conversation.radio.report(isUp: false)
    conversation.radio.report(isUp: true)
    await conversation.clock.sleepers(1, within: .seconds(2))
    #expect(conversation.radio.openings == 1)
    await conversation.clock.pass(.seconds(2))
    let later = await conversation.next { if case .described = $0 { true } else { false } }
    guard case .described(let now)? = later else { return }
    #expect(now.capabilities.batteries == Part.allCases)
    #expect(conversation.radio.openings == 2)
    await conversation.client.close()
  }

  @Test func `a stream of another model is not this headphone's`() async throws {
    let conversation = try await Conversation { $0.strangeModel = 0x112233 }
    let description = try await conversation.driver.start()
    #expect(description.missing.first?.hasSuffix("it is of another model") == true)
    #expect(description.capabilities.batteries == [.left])
    let reported = await conversation.reported()
    #expect(reported.contains(.noted("Fast Pair's message stream: it is of another model")))
    #expect(!reported.contains(.batteryChanged(Self.parts)))
  }

  @Test func `a headphone that tells no battery there is waited for one second`() async throws {
    let conversation = try await Conversation { $0.battery = [] }
    let driver = conversation.driver
    let start = Task { try await driver.start() }
    await conversation.clock.pass(.seconds(1))
    #expect(try await start.value.capabilities.batteries == [.left])
    _ = await conversation.reported()
  }

  @Test func `an unknown message is reported, and both links are kept`() async throws {
    let conversation = try await Conversation()
    _ = try await conversation.driver.start()
    await conversation.phone.headphone.say([0x99, 0x01, 0x00, 0x00])
    try await conversation.driver.perform(.find(.left, isOn: true))
    #expect(
      await conversation.reported().contains { if case .unknown = $0 { true } else { false } })
  }

  @Test func `no other headphone's audio side is asked anything`() async throws {
    for model in [VirtualModel.nothing, .standardBuds, .aurora] {
      let phone = Phone(model)
      let radio = AudioLinks(phone.radio)
      let client = try await phone.connect()
      let identity = PeerAddress(BluetoothAddress(value: 1), .public)
      let driver = GATTDriver(
        client: client, clock: ManualClock(), audioSide: AudioDeviceInfo(of: identity, on: radio),
        emitter: EventEmitter.makeEvents().emitter)
      _ = try await driver.start()
      #expect(radio.openings == 0)
      await client.close()
    }
  }

  @Test func `where the audio side is not known, that is said`() async throws {
    let random = PeerAddress(BluetoothAddress(value: 1), .random)
    #expect(AudioDeviceInfo(of: random, on: Phone().radio) == nil)
    let conversation = try await Conversation(hasAudioSide: false)
    let description = try await conversation.driver.start()
    #expect(
      description.missing.first?.hasSuffix("the address of its audio side is not known") == true)
    _ = await conversation.reported()
  }
}
