internal import Bluetooth
public import BluetoothCodec
public import GATT
public import HeadphoneProtocols

/// The driver for headphones of other makers: their language where it is known, and the standard
/// services.
///
/// It runs on the client's executor. Without a language it is the driver for any headphone: what
/// the services of the Bluetooth SIG tell. The driver does not close the link.
public actor FamilyDriver: HeadphoneDriver, GATTBacked, RequestResponding {
  private nonisolated let emitter: EventEmitter
  nonisolated let client: GATTClient
  /// Nil: the services tell.
  private nonisolated let forced: HeadphoneFamily?
  private nonisolated let cache: GATTCache?
  private nonisolated let isBonded: Bool
  private nonisolated let models: ModelCatalog
  /// Of the link, where this program keeps it: an encrypted set key is for who has it.
  ///
  /// Asked when it is needed: the headphone may have been paired since the start.
  private nonisolated let longTermKey: @Sendable () -> SecretKey?
  /// Nil: it is not known which device's it is.
  private nonisolated let audioSide: AudioDeviceInfo?
  let clock: any Clock<Duration>
  let timeline: ElapsedClock

  private var language: (any FamilyProtocol)?
  private var channel: FamilyChannel?
  private var standard = StandardServices(Database())
  private var capabilities = Capabilities()
  /// The part that each battery level stands for, by its handle.
  private var parts: [UInt16: Part] = [:]
  /// The set; nil: the headphone is a member of none, or does not disclose its key.
  private var set: CoordinatedSet?
  /// The bud's side by its rank, where nothing else determines it.
  private var rankedSide: Side?
  /// The last reported volume; nil: none yet.
  private var volume: VolumeState?
  /// The model reported by the Fast Pair service; nil: none.
  private var fastPairModel: UInt32?
  /// Charges reported by the Battery services.
  private var batteries: [Part: Battery] = [:]
  /// Values of the Device Information service.
  private var information = DeviceInformation()
  /// Why its set is not known, in words.
  private var withoutSet: String?
  /// It was described to who started it.
  private var isDescribed = false

  /// Fast Pair's message stream; nil: it is not open.
  private var stream: ProtocolChannel<FastPairProtocol>?
  /// State received from the stream; nil: it is not open.
  private var streamed: FastPairProtocol?
  private var isOpeningStream = false
  /// Of the one that was opened last.
  private var streamNumber = 0
  /// Why it is not open, in words.
  private var withoutStream: String?
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
  ///   - isBonded: whether the two ends share a key, so that the cache needs no proof.
  ///   - emitter: where events go.
  public init(
    client: GATTClient, forced: HeadphoneFamily? = nil, models: ModelCatalog = ModelCatalog(),
    clock: any Clock<Duration> = ContinuousClock(), cache: GATTCache? = nil,
    isBonded: Bool = false,
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
    self.isBonded = isBonded
    timeline = ElapsedClock(clock)
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  /// Finds the family by its service, asks its questions, and reads the standard services.
  ///
  /// - Throws: ``/HeadphoneProtocols/HeadphoneError/notAHeadphone(missing:)`` where there is
  ///   neither.
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
        try await client.begin(using: self.cache, isBonded: self.isBonded, reporting: emitter)
      }
    }
    try choose(by: await client.database)
    Task { await followServiceChanges() }
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
    Task {
      try? await client.watchForServiceChanges()
      try? await followStandard()
    }
    if ended == nil { audioWatch = Task { await followAudioSide() } }
    isDescribed = true
    return await description()
  }

  /// The headphone's description, from everything reported so far.
  private func description() async -> HeadphoneDescription {
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
      if let answer = received.answer {
        execute(queue.receive(answer: answer, at: timeline.elapsed))
      }
    }
    end(await .closed(client.closed ?? BearerClosed(.localHost)))
  }

  /// Looks up the handles again when services change, until the link ends.
  private func followServiceChanges() async {
    for await _ in client.serviceChanges {
      let database = await client.database
      standard = StandardServices(database)
      channel = language.flatMap { type(of: $0).channel(in: database) } ?? channel
    }
    end(await .closed(client.closed ?? BearerClosed(.localHost)))
  }

  private func report(_ events: [HeadphoneEvent]) {
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

/// The coordinated set of which the headphone is a member.
extension FamilyDriver {
  /// Reads it, where there is one.
  ///
  /// - Returns: why the other members cannot be known, in words; nil: they can, or there are none.
  private func readSet() async throws(HeadphoneError) -> String? {
    set = nil
    guard let channel = standard.set else { return nil }
    let value: Bytes
    do throws(GATTError) {
      // Alone, and first: reading it is what pairs, and there are servers that do not answer at all
      // where one of several values is for who is paired.
      value = try await client.read(channel.key.handle)
    } catch .security, .att {
      // The rest of the headphone is there all the same.
      return Self.unread
    } catch {
      throw HeadphoneError(error)
    }
    let handles = [channel.size, channel.rank, standard.locations]
      .compactMap { $0?.canRead == true ? $0?.handle : nil }
    let values = try await gatt { client throws(GATTError) in
      try await client.readValues(handles).compactMapValues { try? $0.get() }
    }
    let key: SetKey
    do throws(MalformedBytes) {
      switch try ReceivedSetKey(decoding: value) {
      case .plain(let plain): key = plain
      case .encrypted(let encrypted):
        guard let longTermKey = longTermKey() else { return Self.unreadable }
        key = encrypted.converted(by: longTermKey)
      }
    } catch {
      report([.malformed(error, value)])
      return Self.unread
    }
    let size = channel.size.flatMap { values[$0.handle]?.first }.map(Int.init)
    let rank = channel.rank.flatMap { values[$0.handle]?.first }
    rankedSide = size ?? 2 == 2 ? rank.flatMap { Side(rawValue: $0 &- 1) } : nil
    let reported = standard.locations.flatMap { values[$0.handle] }.flatMap(Side.init(locations:))
    set = CoordinatedSet(key: key, size: size, side: reported)
    return nil
  }

  /// The part of a bud's only battery: where it plays, else what describes the battery, else by
  /// rank.
  ///
  /// - Parameter formats: as for ``BatteryParts/parts(_:)``; nil there: no description.
  /// - Returns: nil where the headphone is no bud of two with a battery each.
  private func partsInSet(_ formats: [Bytes?]) -> [Part?]? {
    guard let set, set.others == 1, formats.count == 1 else { return nil }
    let described: Side? =
      switch formats[0].flatMap(BatteryParts.part) {
      case .left: .left
      case .right: .right
      case .case, nil: nil
      }
    let side = set.side ?? described ?? rankedSide
    self.set?.side = side
    return side.map { [$0.part] }
  }

  private static let unread = "the other members of its set: pair it, its set's key is not told"
  private static let unreadable =
    "the other members of its set: its set's key is encrypted by a key that Earshot does not keep"
}

extension Side {
  /// As `find` wants it.
  fileprivate var mask: Sides { self == .left ? .left : .right }
}

/// What the standard services tell and do.
extension FamilyDriver {
  /// Reads batteries, where the family's language does not tell them, and information.
  private func readStandard(withInformation: Bool) async throws(HeadphoneError) -> DeviceInformation
  {
    let levels = reportedBatteries
    let isPlain = levels.count < 2 && (set == nil || set?.side != nil)
    let formats = isPlain ? [:] : try await formatHandles(of: levels)
    let statuses = levels.compactMap { standard.statuses[$0.handle] }.filter(\.canRead)
    var handles = (levels + statuses).map(\.handle) + formats.values.sorted()
    if withInformation {
      handles += standard.information.values.map(\.handle).sorted()
      if let model = standard.fastPairModel, model.canRead { handles.append(model.handle) }
    }
    guard !handles.isEmpty else { return DeviceInformation() }
    let results = try await gatt { client throws(GATTError) in
      try await client.readValues(handles)
    }
    let values = results.compactMapValues { try? $0.get() }
    let reported = levels.map { formats[$0.handle].flatMap { values[$0] } }
    for (level, part) in zip(levels, partsInSet(reported) ?? BatteryParts.parts(reported)) {
      guard let part else { continue }
      parts[level.handle] = part
      take(level: values[level.handle], of: part)
      if let status = standard.statuses[level.handle], let value = values[status.handle] {
        take(status: value, of: part)
      }
    }
    if !batteries.isEmpty { report([.batteryChanged(batteries)]) }
    if let reported = standard.fastPairModel.flatMap({ values[$0.handle] }), reported.count == 3 {
      fastPairModel = reported.reduce(0) { $0 << 8 | UInt32($1) }
    }
    return InformationUUIDs.standard.information { type in
      standard.information[type].flatMap { values[$0.handle] }.map(textFromAir)
    }
  }

  /// Listens to values that notify.
  private func followStandard() async throws(HeadphoneError) {
    if let volume = standard.volume {
      try await follow(volume.state) { driver, value in driver.take(volume: value) }
    }
    for level in reportedBatteries {
      guard let part = parts[level.handle] else { continue }
      try await follow(level) { driver, value in driver.take(level: value, of: part) }
      guard let status = standard.statuses[level.handle] else { continue }
      try await follow(status) { driver, value in driver.take(status: value, of: part) }
    }
  }

  private func follow(
    _ characteristic: Characteristic,
    _ take: @escaping @Sendable (isolated FamilyDriver, Bytes) -> Void
  ) async throws(HeadphoneError) {
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else { return }
    let subscription = try await gatt { client throws(GATTError) in
      try await client.subscribe(to: characteristic)
    }
    Task {
      var values = subscription.makeAsyncIterator()
      while let received = try? await values.next(isolation: self) {
        let before = batteries
        take(self, received.value)
        if batteries != before { report([.batteryChanged(batteries)]) }
      }
    }
  }

  /// Makes the headphone heard by the Immediate Alert service, both buds at once; a bud of a set
  /// looks whether it is meant.
  private func alert(_ sides: Sides, isOn: Bool) async throws(HeadphoneError) {
    guard let alert = standard.alert else { throw .unsupported("sound to be found by") }
    let isMeant = set?.side.map { sides.contains($0.mask) } ?? true
    let level: Bytes = [isOn && isMeant ? Self.highAlert : 0]
    try await gatt { client throws(GATTError) in
      if alert.properties.contains(.writeWithoutResponse) {
        try await client.writeWithoutResponse(level, to: alert.handle)
      } else {
        try await client.write(level, to: alert.handle)
      }
    }
    report([.findChanged(!isOn ? [] : set == nil ? .both : sides)])
  }

  private static let highAlert: UInt8 = 2

  /// Battery services, unless the family's language knows better.
  private var reportedBatteries: [Characteristic] {
    language?.capabilities.batteries.isEmpty == false ? [] : standard.batteries.filter(\.canRead)
  }

  /// The battery of each part comes by Fast Pair's message stream.
  private var streamReportsBatteries: Bool { streamed?.capabilities.batteries.isEmpty == false }

  private func take(level value: Bytes?, of part: Part) {
    guard let value, !streamReportsBatteries else { return }
    guard let level = value.first, level <= 100 else {
      let error = MalformedBytes("battery level", at: 0, .badValue(UInt64(value.first ?? 0)))
      return report([.malformed(error, value)])
    }
    batteries[part] = Battery(level: level, isCharging: batteries[part]?.isCharging)
  }

  private func take(status value: Bytes, of part: Part) {
    guard !streamReportsBatteries else { return }
    do throws(MalformedBytes) {
      let status = try BatteryLevelStatus(decoding: value)
      batteries[part] = Battery(
        level: status.level ?? batteries[part]?.level, isCharging: status.isCharging)
    } catch {
      report([.malformed(error, value)])
    }
  }

  /// The handles of presentation formats, by their level's handle.
  private func formatHandles(
    of levels: [Characteristic]
  ) async throws(HeadphoneError) -> [UInt16: UInt16] {
    let unknown = levels.filter { $0.descriptors == nil }
    let found = try await gatt { client throws(GATTError) -> [UInt16: [Descriptor]] in
      unknown.isEmpty ? [:] : try await client.discoverDescriptors(of: unknown)
    }
    var handles: [UInt16: UInt16] = [:]
    for level in levels {
      let descriptors = level.descriptors ?? found[level.handle] ?? []
      handles[level.handle] = descriptors.first { $0.uuid == .presentationFormat }?.handle
    }
    return handles
  }
}

extension Capabilities {
  /// Capabilities of a family's protocol, completed by the standard services.
  fileprivate func with(
    _ standard: StandardServices, _ reported: [Part: Battery], _ set: CoordinatedSet?
  ) -> Capabilities {
    var all = self
    if all.batteries.isEmpty { all.batteries = Part.allCases.filter { reported[$0] != nil } }
    // A bud reports its own charge; the other one exists wherever it is.
    if set?.others == 1, !reported.isEmpty {
      all.batteries = Part.allCases.filter { $0 != .case || all.batteries.contains(.case) }
    }
    if all.batteries.contains(.case) { all.hasCase = true }
    if standard.alert != nil { all.hasFind = true }
    all.hasVolume = standard.volume != nil
    return all
  }

  /// What Fast Pair's message stream adds; nil: nothing.
  fileprivate func with(_ stream: FastPairProtocol?) -> Capabilities {
    guard let reported = stream?.capabilities else { return self }
    var all = self
    if !reported.batteries.isEmpty { all.batteries = reported.batteries }
    all.hasCase = all.hasCase || reported.hasCase
    all.hasFind = true
    return all
  }
}

extension Capabilities {
  /// Without what a model does not have.
  func narrowed(to model: HeadphoneModel?) -> Capabilities {
    guard let model else { return self }
    var all = self
    if let modes = model.ancModes { all.ancModes = ancModes.filter(modes.contains) }
    all.hasANCLevel = hasANCLevel && !all.ancModes.isEmpty
    let parts: [Part] =
      switch model.shape {
      case .headband: [.left]
      case .buds: [.left, .right]
      case .budsWithCase, nil: Part.allCases
      }
    all.batteries = batteries.filter(parts.contains)
    all.hasCase = hasCase && parts.contains(.case)
    return all
  }
}

extension DeviceInformation {
  /// What is missing here, from there.
  fileprivate func filled(by other: DeviceInformation?) -> DeviceInformation {
    DeviceInformation(
      manufacturer: manufacturer ?? other?.manufacturer, model: model ?? other?.model,
      serial: serial ?? other?.serial, firmware: firmware ?? other?.firmware,
      hardware: hardware ?? other?.hardware)
  }
}

/// Fast Pair's message stream beside the standard services: battery of each part, and ringing.
///
/// It is on the audio side, and nothing there is called for it: where the sound is not connected
/// here, the headphone is as it is without.
extension FamilyDriver {
  /// How long an audio link that is new is left to those who set it up: its sound comes first.
  private static let settling: Duration = .seconds(2)

  /// Whether to look for a stream at all: a headphone with its own protocol reports more through
  /// that.
  private var mayHaveStream: Bool { language == nil && standard.hasFastPair }

  /// Opens the stream if it is missing; its initial values are present on return.
  ///
  /// Failures are reported, and cost nothing but the stream.
  private func openStream() async {
    guard mayHaveStream, stream == nil, !isOpeningStream, ended == nil else { return }
    guard let audioSide else {
      return withoutStream = Self.withoutStream("the address of its audio side is not known")
    }
    isOpeningStream = true
    defer { isOpeningStream = false }
    do throws(RadioError) {
      guard let bearer = try await audioSide.open(FastPairMessage.service) else {
        return withoutStream = Self.withoutStream("its sound is not connected here")
      }
      await take(bearer)
    } catch {
      let why = if case .busy = error { "another program holds it" } else { error.description }
      closeStream(because: why)
    }
  }

  private static func withoutStream(_ why: String) -> String {
    "battery of each part, find by side: Fast Pair's message stream: \(why)"
  }

  private func take(_ bearer: any Bearer) async {
    guard ended == nil else { return bearer.close(.user) }
    streamNumber += 1
    let stream = ProtocolChannel(
      FastPairProtocol(of: fastPairModel), on: bearer, clock: clock
    ) { [emitter] event in
      emitter.report(event)
    } reportChange: { [weak self, streamNumber] language in
      Task { await self?.learn(language, from: streamNumber) }
    } reportEnd: { [weak self, streamNumber] _ in
      Task { await self?.loseStream(streamNumber) }
    }
    self.stream = stream
    await stream.listen()
    // An end in the meantime is reported separately.
    try? await stream.receiveRemaining()
    let received = await stream.language
    if self.stream === stream { adopt(received) }
  }

  private func learn(_ language: FastPairProtocol, from number: Int) async {
    guard stream != nil, streamNumber == number, !isOpeningStream else { return }
    adopt(language)
    await describeAgain()
  }

  private func adopt(_ language: FastPairProtocol) {
    guard language.isAnothers else { return streamed = language }
    closeStream(because: "it is of another model")
  }

  private func loseStream(_ number: Int) async {
    guard stream != nil, streamNumber == number, ended == nil else { return }
    closeStream(because: "it has ended")
    // Else the last charge of one part would be the whole headphone's.
    _ = try? await readStandard(withInformation: false)
    await describeAgain()
  }

  private func closeStream(because why: String) {
    closeStream()
    withoutStream = Self.withoutStream(why)
    report([.noted("Fast Pair's message stream: \(why)")])
  }

  /// Opens it each time the audio link has come up, and once more where it failed at the start.
  private func followAudioSide() async {
    guard mayHaveStream, let audioSide else { return }
    for await _ in audioSide.arrivals() {
      guard stream == nil else { continue }
      try? await clock.sleep(for: Self.settling)
      guard !Task.isCancelled, ended == nil else { return }
      await openStreamAgain()
    }
  }

  /// Opens the stream if it is missing, and reports the result.
  private func openStreamAgain() async {
    let before = withoutStream
    await openStream()
    if streamed != nil || withoutStream != before { await describeAgain() }
  }

  /// Reports the headphone's current description, if one has been reported before.
  private func describeAgain() async {
    if isDescribed { report([.described(await description())]) }
  }

  private func closeStream() {
    stream?.bearer.close(.user)
    (stream, streamed) = (nil, nil)
  }
}

/// The headphone's own volume, by the Volume Control service.
extension FamilyDriver {
  /// Reads the volume, where there is one; it arrives as an event.
  private func readVolume() async throws(HeadphoneError) {
    guard let channel = standard.volume else { return }
    let value = try await gatt { client throws(GATTError) in
      try await client.read(channel.state.handle)
    }
    take(volume: value)
  }

  private func setVolume(_ requested: HeadphoneVolume) async throws(HeadphoneError) {
    guard standard.volume != nil else { throw .unsupported("volume") }
    if volume == nil { try await readVolume() }
    try await order { $0.volume.level == requested.level ? nil : $0.order(level: requested.level) }
    try await order { $0.isMuted == requested.isMuted ? nil : $0.order(isMuted: requested.isMuted) }
  }

  /// Orders what a state asks for; nil: nothing.
  private func order(_ requested: (VolumeState) -> [UInt8]?) async throws(HeadphoneError) {
    guard let volume else { throw .unsupported("volume") }
    guard let order = requested(volume) else { return }
    do throws(HeadphoneError) {
      try await writeControlPoint(order)
    } catch .gatt(.att(let error)) where error.code == VolumeState.invalidCounter {
      // Somebody else changed it meanwhile: once more, by what it is now.
      try await readVolume()
      guard let again = self.volume.flatMap(requested) else { return }
      try await writeControlPoint(again)
    }
    // The state is what is true, not the order.
    try await readVolume()
  }

  private func writeControlPoint(_ order: [UInt8]) async throws(HeadphoneError) {
    guard let channel = standard.volume else { throw .unsupported("volume") }
    try await gatt { client throws(GATTError) in
      try await client.write(order[...], to: channel.control.handle)
    }
  }

  private func take(volume value: Bytes) {
    do throws(MalformedBytes) {
      let state = try VolumeState(decoding: value)
      let before = volume?.volume
      volume = state
      if before != state.volume { report([.volumeChanged(state.volume)]) }
    } catch {
      report([.malformed(error, value)])
    }
  }
}
