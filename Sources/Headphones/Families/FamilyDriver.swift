internal import Bluetooth
public import BluetoothCodec
public import GATT

/// The driver for headphones of other makers: their language where it is known, and the standard
/// services.
///
/// It runs on the client's executor. Without a language it is the driver for any headphone: what
/// the services of the Bluetooth SIG tell. The driver does not close the link.
public actor FamilyDriver: HeadphoneDriver, GATTBacked, RequestResponding {
  nonisolated let emitter: EventEmitter
  nonisolated let client: GATTClient
  /// Nil: the services tell.
  private nonisolated let forced: HeadphoneFamily?
  private nonisolated let cache: GATTCache?
  private nonisolated let models: ModelCatalog
  /// Of the link, where this program keeps it: an encrypted set key is for who has it.
  ///
  /// Asked when it is needed: the headphone may have been paired since the start.
  nonisolated let longTermKey: @Sendable () -> SecretKey?
  /// Nil: it is not known which device's it is.
  nonisolated let audioSide: AudioDeviceInfo?
  let clock: any Clock<Duration>
  let timeline: MonotonicTime

  var language: (any FamilyProtocol)?
  private var channel: FamilyChannel?
  var standard = StandardServices(Database())
  var capabilities = Capabilities()
  /// The part that each battery level stands for, by its handle.
  var parts: [UInt16: Part] = [:]
  /// Nil: the headphone is a member of none, or its set's key is not told.
  var set: CoordinatedSet?
  /// Which bud it is by its rank, where nothing else tells.
  var rankedSide: Side?
  /// As the headphone told it last; nil: not yet.
  var volume: VolumeState?
  /// As the Fast Pair service tells it; nil: it does not.
  var fastPairModel: UInt32?
  /// What the Battery services have told.
  var batteries: [Part: Battery] = [:]
  /// As the Device Information service tells it.
  private var information = DeviceInformation()
  /// Why its set is not known, in words.
  private var withoutSet: String?
  /// It was described to who started it.
  private(set) var isDescribed = false

  /// Fast Pair's message stream; nil: it is not open.
  var stream: ProtocolChannel<FastPairProtocol>?
  /// What that has told; nil: it is not open.
  var streamed: FastPairProtocol?
  var isOpeningStream = false
  /// Of the one that was opened last.
  var streamNumber = 0
  /// Why it is not open, in words.
  var withoutStream: String?
  /// Waits for the audio link.
  private var audioWatch: Task<Void, Never>?

  var queue = RequestQueue()
  var waiters: [RequestQueue.Ticket: CheckedContinuation<HeadphoneError?, Never>] = [:]
  /// Sleeps until the desk's deadline; none while nothing is awaited.
  var watch: Task<Void, Never>?
  private(set) var ended: HeadphoneError?

  /// - Parameters:
  ///   - client: on a connected bearer; its database is used where it is complete.
  ///   - forced: the family that a person says it is.
  ///   - outlet: where events go.
  public init(
    client: GATTClient, forced: HeadphoneFamily? = nil, models: ModelCatalog = ModelCatalog(),
    clock: any Clock<Duration> = ContinuousClock(), cache: GATTCache? = nil,
    longTermKey: @escaping @Sendable () -> SecretKey? = { nil }, audioSide: AudioDeviceInfo? = nil,
    emitter: EventEmitter
  ) {
    self.client = client
    self.emitter = emitter
    self.audioSide = audioSide
    self.forced = forced
    self.models = models
    self.longTermKey = longTermKey
    self.clock = clock
    self.cache = cache
    timeline = MonotonicTime(clock)
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  /// Finds the family by its service, asks its questions, and reads the standard services.
  ///
  /// - Throws: ``HeadphoneError/notAHeadphone(missing:)`` where there is neither.
  public func start() async throws(HeadphoneError) -> HeadphoneDescription {
    do throws(HeadphoneError) {
      return try await findAndAsk()
    } catch {
      fail(error)
      throw error
    }
  }

  private func findAndAsk() async throws(HeadphoneError) -> HeadphoneDescription {
    emitter.report(.starting(.discoveringServices))
    if await client.cache == nil {
      try await gatt { client throws(GATTError) in
        try await client.begin(using: self.cache, reporting: emitter)
      }
    }
    try choose(by: await client.database)
    Task { await endWithLink() }
    emitter.report(.starting(.subscribing))
    if let channel {
      let values = try await gatt { client throws(GATTError) in
        try await client.subscribe(to: channel.notify)
      }
      Task { await receiveAll(of: values) }
    }
    try await ask(language?.questions() ?? [])
    withoutSet = try await readSet()
    information = try await readStandard(withInformation: true)
    await openStream()
    volume = nil
    try await readVolume()
    if let model { language?.recognise(model) }
    Task { try? await followStandard() }
    if ended == nil { audioWatch = Task { await followAudioSide() } }
    isDescribed = true
    return await description()
  }

  /// What the headphone has and is, by all that it has told so far.
  func description() async -> HeadphoneDescription {
    let model = model
    var information = reported
    information.model = information.model ?? model?.name
    if information.model == nil, let fastPair {
      information.model = "Fast Pair \(hexadecimal(fastPair, width: 6))"
    }
    capabilities = (language?.capabilities ?? Capabilities()).with(standard, batteries, set)
      .with(streamed).narrowed(to: model)
    var description = HeadphoneDescription(
      driver: name, capabilities: capabilities,
      information: information, mtu: await client.mtu,
      requests: await client.requestCount)
    description.set = set
    description.missing = [withoutSet, streamed == nil ? withoutStream : nil].compactMap(\.self)
    if language == nil { description.missing += standard.missing(beside: streamed) }
    return description
  }

  private var reported: DeviceInformation {
    information.filled(by: language?.information).filled(by: streamed?.information)
  }

  /// Its number, by the service or by the stream.
  private var fastPair: UInt32? { fastPairModel ?? streamed?.model }

  private var model: HeadphoneModel? {
    family.flatMap {
      models.model(
        of: $0, number: reported.model, fastPair: fastPair, service: language?.modelService)
    }
  }

  /// Nil: the driver is for any headphone.
  private var family: HeadphoneFamily? {
    guard let language else { return .standard }
    return HeadphoneFamily.allCases.first { $0.language == type(of: language) }
  }

  private var name: String {
    language.map { type(of: $0).name } ?? "standard services"
  }

  /// By the services alone, unless a person says which family it is.
  private func choose(by database: Database) throws(HeadphoneError) {
    standard = StandardServices(database)
    if forced == nil {
      if let found = HeadphoneFamily.language(of: database, models) { (language, channel) = found }
    } else if let forced = forced?.language {
      guard let channel = forced.channel(in: database) else {
        throw .notAHeadphone(missing: "\(forced.name) service")
      }
      (language, self.channel) = (forced.init(on: channel, models), channel)
    }
    guard language != nil || !standard.isEmpty else {
      throw .notAHeadphone(missing: "control, battery or information service")
    }
  }

  /// By the family's language; finding without one by Fast Pair's message stream or Immediate
  /// Alert, and volume by Volume Control.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    if case .find(let sides, let isOn) = command, language?.capabilities.hasFind != true {
      return try await find(sides, isOn: isOn)
    }
    if case .setVolume(let volume) = command { return try await setVolume(volume) }
    guard let language else { throw .unsupported("\(name): this command") }
    // A model's file may say that it has fewer modes than its family.
    if case .setANC(let mode) = command, language.capabilities.ancModes.contains(mode),
      !capabilities.ancModes.contains(mode)
    {
      throw .unsupported("noise control mode \"\(mode)\"")
    }
    for exchange in try self.language?.exchanges(for: command) ?? [] {
      try await execute(exchange, attempts: 3)
    }
    report(try self.language?.accepted(command) ?? [])
  }

  /// Asks and reads all again but the device information, which stays.
  public func refresh() async throws(HeadphoneError) {
    try await ask(language?.questions() ?? [])
    batteries = [:]
    _ = try await readStandard(withInformation: false)
    volume = nil
    try await readVolume()
    if stream == nil { await openStreamAgain() }
  }

  private func find(_ sides: Sides, isOn: Bool) async throws(HeadphoneError) {
    guard let stream else { return try await alert(sides, isOn: isOn) }
    do throws(HeadphoneError) {
      try await stream.perform(.find(sides, isOn: isOn))
    } catch .unsupported where standard.alert != nil {
      try await alert(sides, isOn: isOn)
    } catch .closed where ended == nil {
      // The stream alone has ended.
      guard standard.alert != nil else { throw .noResponse }
      try await alert(sides, isOn: isOn)
    }
  }

  func write(_ value: Bytes) async throws(HeadphoneError) {
    guard let channel else { return }
    try await gatt { client throws(GATTError) in
      if channel.write.canWrite {
        try await client.write(value, to: channel.write.handle)
      } else {
        try await client.writeWithoutResponse(value, to: channel.write.handle)
      }
    }
  }

  // MARK: Hearing

  private func receiveAll(of subscription: Subscription) async {
    var values = subscription.makeAsyncIterator()
    while let received = try? await values.next(isolation: self) {
      guard let received = language?.receive(received.value) else { continue }
      report(received.events)
      if let answer = received.answer { execute(queue.receive(answer: answer, at: timeline.now())) }
    }
    end(await .closed(client.closed ?? BearerClosed(.localHost)))
  }

  /// Changed services are told by the client; its list of them ends with the link.
  private func endWithLink() async {
    for await _ in client.serviceChanges {}
    end(await .closed(client.closed ?? BearerClosed(.localHost)))
  }

  func report(_ events: [HeadphoneEvent]) {
    for event in events { emitter.report(event) }
  }

  private func end(_ error: HeadphoneError) {
    guard ended == nil else { return }
    fail(error)
    emitter.finish()
  }

  /// Ends everything that waits.
  private func fail(_ error: HeadphoneError) {
    guard ended == nil else { return }
    ended = error
    watch?.cancel()
    audioWatch?.cancel()
    closeStream()
    execute(queue.fail(error))
  }
}
