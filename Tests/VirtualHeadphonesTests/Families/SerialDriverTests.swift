import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import HeadphoneDrivers
import HeadphoneProtocols
import Locking
import TestSupport
import Testing

@testable import VirtualHeadphones

/// Headphones with a serial channel on their BR/EDR side.
@Suite struct SerialDriverTests {
  /// A started driver and what it reports.
  struct Conversation {
    let headphone: VirtualHeadphone
    let radio: VirtualRadio
    let bearer: any Bearer
    let driver: any HeadphoneDriver
    let events: HeadphoneEvents

    init(
      _ model: VirtualModel, forced: String? = nil, clock: ManualClock = ManualClock(),
      observer: (any BearerObserver)? = nil
    ) async throws {
      headphone = VirtualHeadphone(
        model.timed(by: clock), loop: .shared, clock: ManualClock())
      radio = VirtualRadio(headphones: [headphone], clock: ManualClock())
      let address = try #require(model.audioAddress)
      let family = forced.flatMap(HeadphoneFamily.init(rawValue:))
      let channel = try await HeadphoneFamily.connectAudioSide(
        of: address, forced: family, on: radio, timeout: .seconds(1), clock: clock)
      bearer = observer.map { ObservedBearer(channel, by: $0) } ?? channel
      let (emitter, events) = EventEmitter.makeEvents()
      self.events = events
      driver = try #require(
        HeadphoneFamily.driver(on: bearer, forced: family, clock: clock, emitter: emitter))
    }

    /// Ends the link, and returns all events until then.
    func reported() async -> [HeadphoneEvent] {
      bearer.close(.user)
      return await events.reduce(into: []) { $0.append($1) }
    }

    /// The headphone at the other end of the channel.
    var virtual: (any VirtualSerialHeadphone)? {
      get async {
        guard case .serial(let serial)? = await headphone.family else { return nil }
        return (serial.headphone as? TimedHeadphone)?.headphone
      }
    }

    func virtual<Headphone: VirtualSerialHeadphone>(_: Headphone.Type) async -> Headphone? {
      await virtual as? Headphone
    }
  }

  private static let serialModels = VirtualModel.families.filter {
    if case .serial = $0.family { true } else { false }
  }

  /// A capture of a channel without its beginning.
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

  @Test func `a channel that another program has is tried once more, and then said`() async throws {
    let first = try await Conversation(.sonyOverEar)
    let clock = ManualClock()
    let address = try #require(first.headphone.model.audioAddress)
    let radio = first.radio
    async let second = HeadphoneFamily.connectAudioSide(
      of: address, on: radio, timeout: .seconds(1), clock: clock)
    await clock.pass(.milliseconds(1500))
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
    await clock.sleepers(1, within: .milliseconds(1500))
    first.bearer.close(.user)
    await clock.pass(.milliseconds(1500))
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
    await clock.pass(.milliseconds(2500))
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
    let headphone = VirtualHeadphone(.airPodsHere, loop: .shared, clock: ManualClock())
    let radio = VirtualRadio(headphones: [headphone], clock: ManualClock())
    let address = try #require(headphone.model.audioAddress)
    let bearer = try await HeadphoneFamily.connectAudioSide(
      of: address, on: radio, timeout: .seconds(1), clock: ManualClock())
    #expect(bearer.channel == .classic(psm: AACPPacket.psm))
    bearer.close(.user)
  }

  /// A radio whose service discovery fails, or returns a product alone.
  private struct HalfRadio: ForwardingRadio {
    let base: any Radio
    let answer: Result<ServiceRecords, RadioError>

    func serviceRecords(of address: BluetoothAddress) async throws(RadioError) -> ServiceRecords {
      try answer.get()
    }
  }

  @Test(
    arguments: [
      (.failure(.timedOut), .timedOut),
      (.success(ServiceRecords(product: ProductID(vendor: 0x054C, product: 1))), .refused),
    ] as [(Result<ServiceRecords, RadioError>, RadioError)])
  func `a headphone whose services are not known is taken for no AirPods`(
    _ answer: Result<ServiceRecords, RadioError>, _ expected: RadioError
  ) async throws {
    let headphone = VirtualHeadphone(.airPodsHere, loop: .shared, clock: ManualClock())
    let radio = HalfRadio(
      base: VirtualRadio(headphones: [headphone], clock: ManualClock()), answer: answer)
    let address = try #require(headphone.model.audioAddress)
    await #expect(throws: expected) {
      try await HeadphoneFamily.connectAudioSide(
        of: address, on: radio, timeout: .seconds(1), clock: ManualClock())
    }
    // A person may say that it is one.
    let bearer = try await HeadphoneFamily.connectAudioSide(
      of: address, forced: .airpods, on: radio, timeout: .seconds(1), clock: ManualClock())
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
    // A question that it would answer after all leaves the next one to the moved clock. What it ignores
    // before is the acknowledgement of its last report.
    while await !conversation.headphone.ignoredFrames.contains(where: {
      (try? SonyFrame(decoding: $0))?.kind == .command
    }) {
      await Task.yield()
    }
    let command = Task.immediate { try await driver.perform(.setANC(.off)) }
    await conversation.headphone.resumeResponding()
    await clock.pass(.seconds(1))
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
      await clock.pass(.seconds(1))
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
      await clock.pass(.seconds(1))
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
