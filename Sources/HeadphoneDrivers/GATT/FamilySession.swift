internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

/// A session with a headphone of another maker: its protocol, if known, and standard services.
actor FamilySession: GATTSession, ValueFollower {
  nonisolated let client: GATTClient
  var deliveries: [ValueDelivery] = []
  private nonisolated let emitter: EventEmitter
  private let kind: DeviceKind
  private let models: ModelCatalog
  private let clock: any Clock<Duration>
  private let longTermKey: @Sendable () -> SecretKey?
  private let audioSide: AudioDeviceInfo?

  private nonisolated let hasEnded: @Sendable (HeadphoneError) -> Void
  private lazy var maker: ProtocolDriver? = {
    guard case .characteristics(let channel) = kind.transport,
      let spoken = kind.family.opened(on: channel, models)
    else { return nil }
    return ProtocolDriver(
      spoken, on: .characteristics(channel, of: client), clock: clock,
      emitter: emitter,
      hasChanged: { [weak self] in self?.assumeIsolated { $0.describeAgain() } },
      hasEnded: hasEnded)
  }()
  private var standard: StandardServices
  private var capabilities = Capabilities()
  private var parts: [UInt16: Part] = [:]
  /// The membership in a coordinated set, or nil without one or if its key is not disclosed.
  private var membership: SetMembership?
  /// The reasons why features that the headphone has cannot be used, by their names.
  private var refusals: [String: String] = [:]
  private var withoutSet: String?
  private var volume: VolumeControl?
  private var hearing: HearingAid?
  private var receiver: BroadcastReceiver?
  private var fastPairModel: UInt32?
  private var charges = BatteryCharges()
  private var information = DeviceInformation()
  private var stream: FastPairStream?
  private var streamed = FastPairStream.State()
  private var isDescribed = false
  private(set) var isOver = false

  init(
    _ kind: DeviceKind, in database: Database, of client: GATTClient, models: ModelCatalog,
    clock: any Clock<Duration>, longTermKey: @escaping @Sendable () -> SecretKey?,
    audioSide: AudioDeviceInfo?, emitter: EventEmitter,
    hasEnded: @escaping @Sendable (HeadphoneError) -> Void
  ) {
    self.client = client
    self.emitter = emitter
    self.kind = kind
    self.models = models
    self.clock = clock
    self.longTermKey = longTermKey
    self.audioSide = audioSide
    standard = StandardServices(database)
    self.hasEnded = hasEnded
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  func start() async throws(HeadphoneError) -> HeadphoneDescription {
    emitter.report(.starting(.subscribing))
    if let notice = kind.notice { emitter.report(.noted(notice)) }
    try await startMaker()
    try await findSet()
    information = try await readStandard(withInformation: true)
    if maker == nil, standard.hasFastPair, !isOver { await openStream() }
    try await startServices()
    if let model { await maker?.recognise(model) }
    await stream?.follow()
    isDescribed = true
    return await description()
  }

  private func findSet() async throws(HeadphoneError) {
    withoutSet = nil
    switch try await readSet(by: standard, longTermKey) {
    case .none: break
    case .member(let membership): self.membership = membership
    case .missing(let why, let malformed):
      withoutSet = why
      if let malformed { emitter.report(malformed) }
    }
  }

  /// Sends the family's requests; without its notifications, only standard services are used.
  private func startMaker() async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      try await maker?.listen()
    } catch .gatt(let error) where !error.isCuredByPairing && !standard.isEmpty {
      maker = nil
      refusals["noise control, settings"] = error.absence
    }
    try await maker?.readAll()
  }

  private func startServices() async throws(HeadphoneError) {
    volume = standard.volume.map { VolumeControl($0, of: client, emitter: emitter) }
    try await readVolume()
    try await startHearing()
    try await startReceiver()
  }

  private func endServices(_ error: HeadphoneError) {
    endDeliveries()
    volume?.assumeIsolated { $0.end() }
    hearing?.assumeIsolated { $0.end() }
    receiver?.assumeIsolated { $0.end(error) }
    (volume, hearing, receiver) = (nil, nil, nil)
  }

  private func readVolume() async throws(HeadphoneError) {
    refusals["volume"] = nil
    do throws(HeadphoneError) {
      try await volume?.refresh()
    } catch .gatt(let error) {
      refusals["volume"] = error.absence
    }
  }

  private func description() async -> HeadphoneDescription {
    let model = model
    var information = reported
    information.model = information.model ?? model?.name
    if information.model == nil, let fastPair {
      information.model = "Fast Pair \(hexadecimal(fastPair, width: 6))"
    }
    capabilities = (spoken?.capabilities ?? Capabilities()).with(
      standard, charges.charges, membership?.set
    )
    .with(streamed.received).narrowed(to: model)
    capabilities.settings += heard?.declarations ?? []
    var description = HeadphoneDescription(
      driver: name, capabilities: capabilities,
      information: information, mtu: await client.mtu,
      requests: await client.requestCount)
    description.reason = kind.reason
    description.set = membership?.set
    description.missing = [
      withoutSet, heard?.withoutPresets, withoutBroadcasts,
      streamed.received == nil ? streamed.missing : nil,
    ].compactMap(\.self)
    description.missing += refusals.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    description.missing += await omissions
    let withheld = client.bearer.withheldServices
    description.isChargeAsked = isChargeAsked
    description.isVolumeWithheld = withheld.contains(.volumeControl)
    description.missing += StandardServices.missing(withheld: withheld)
    if kind.family.table != nil { description.missing += spoken?.missing ?? [] }
    description.isFromFile = kind.family.table != nil
    if kind.family.nameOverGATT == nil {
      description.missing += standard.missing(
        beside: streamed.received, isVolumeWithheld: description.isVolumeWithheld)
    }
    return description
  }

  private var reported: DeviceInformation {
    information.filled(by: spoken?.information).filled(by: streamed.received?.information)
  }

  private var fastPair: UInt32? { fastPairModel ?? streamed.received?.model }

  private var model: HeadphoneModel? {
    models.model(
      of: kind.family, number: reported.model, fastPair: fastPair,
      service: (spoken as? any FamilyProtocol)?.modelService)
  }

  private var spoken: (any HeadphoneProtocol)? { maker?.assumeIsolated { $0.values } }

  private var name: String {
    kind.family.nameOverGATT
      ?? (standard.hearing.hearingAidService == nil ? "standard services" : "hearing aid services")
  }

  private var heard: (declarations: [SettingDeclaration], withoutPresets: String?)? {
    hearing?.assumeIsolated { ($0.declarations, $0.withoutPresets) }
  }

  private func hearingAid(with id: SettingID) -> HearingAid? {
    hearing.flatMap { aid in aid.assumeIsolated { $0.has(id) } ? aid : nil }
  }

  private func startHearing() async throws(HeadphoneError) {
    guard !standard.hearing.isEmpty else { return }
    let aid = HearingAid(
      standard.hearing, of: client, clock: clock, emitter: emitter,
      hasChanged: { [weak self] in self?.assumeIsolated { $0.describeAgain() } })
    hearing = aid
    try await aid.start(on: membership?.set.side)
  }

  private func startReceiver() async throws(HeadphoneError) {
    guard let channel = standard.broadcasts else { return }
    let receiver = BroadcastReceiver(
      channel, on: membership?.set.side, of: client, clock: clock, emitter: emitter)
    self.receiver = receiver
    try await receiver.start()
  }

  private var withoutBroadcasts: String? { receiver?.assumeIsolated { $0.missing } }

  /// Carries out a command with the family's protocol or a standard service.
  ///
  /// Without a ring command in the family's protocol, Fast Pair's message stream or Immediate Alert
  /// is used. A feature that bluetoothd withholds is described as missing afterwards.
  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      try await send(command)
    } catch {
      if error == .withheld { describeAgain() }
      throw await explained(error)
    }
  }

  private func send(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    switch command {
    case .find(let sides, let isOn) where spoken?.capabilities.hasFind != true:
      try await find(sides, isOn: isOn)
    case .setVolume(let requested):
      guard let volume else { throw .unsupported("volume") }
      try await volume.set(requested)
    case .broadcast(let request):
      guard standard.broadcasts != nil else { throw .unsupported("Auracast") }
      // The services have changed, and the new ones have not been looked up yet.
      guard let receiver else { throw .gatt(.servicesChanged) }
      try await receiver.perform(request)
    case .announceSearch(let isOn): try await receiver?.announceSearch(isOn)
    case .set(let id, let value):
      if let aid = hearingAid(with: id) {
        try await aid.set(id, to: value)
      } else {
        guard let maker else { throw .noCommand(of: name) }
        try await maker.perform(command)
      }
    // The model's file may list fewer modes than the family has.
    case .setANC(let mode)
    where !capabilities.ancModes.contains(mode)
      && spoken?.capabilities.ancModes.contains(mode) == true:
      throw .noMode(mode)
    default:
      guard let maker else { throw .noCommand(of: name) }
      try await maker.perform(command)
    }
  }

  /// Reads all values again except the device information, which does not change.
  func refresh() async throws(HeadphoneError) {
    try await maker?.readAll()
    if withoutSet != nil {
      try await findSet()
      // What the services report depends on the bud's side.
      if membership != nil { try await takeUpServices(in: await client.database) }
    }
    _ = try await readStandard(withInformation: false)
    try await readVolume()
    try await hearing?.refresh()
    try await receiver?.refresh()
    await stream?.open()
    emitter.report(.described(await description()))
  }

  func readCharge() async throws(HeadphoneError) {
    try await maker?.readCharge()
    let levels = silentBatteries
    guard !levels.isEmpty else { return }
    let results = try await gatt { client throws(GATTError) in
      try await client.readValues(levels.map(\.handle))
    }
    for level in levels {
      guard let part = parts[level.handle], case .success(let value)? = results[level.handle] else {
        continue
      }
      parse(level: value, of: part)
    }
    emitter.report(.batteryChanged(charges.charges))
  }

  private func describeAgain() {
    guard isDescribed else { return }
    Task { emitter.report(.described(await description())) }
  }

  private func find(_ sides: Sides, isOn: Bool) async throws(HeadphoneError) {
    guard let stream, streamed.received != nil else { return try await alert(sides, isOn: isOn) }
    do throws(HeadphoneError) {
      try await stream.find(sides, isOn: isOn)
    } catch .unsupported where standard.alert != nil {
      try await alert(sides, isOn: isOn)
    } catch .closed where !isOver {
      // Only the stream has ended, not the link.
      guard standard.alert != nil else { throw .noResponse }
      try await alert(sides, isOn: isOn)
    }
  }

  func findHandles(in database: Database) async throws(HeadphoneError) {
    try await maker?.findCharacteristics()
  }

  func takeUpServices(in database: Database) async throws(HeadphoneError) {
    endServices(.gatt(.servicesChanged))
    standard = StandardServices(database)
    _ = try await readStandard(withInformation: false)
    try await startServices()
    try await followValues()
    describeAgain()
  }

  /// Returns false: values remain valid, since a maker's reports do not depend on handles.
  func servicesHaveMoved() -> Bool { false }

  func end(_ error: HeadphoneError) {
    guard !isOver else { return }
    isOver = true
    // Closed on the same executor, before the end is emitted.
    stream?.assumeIsolated { $0.close() }
    endServices(error)
    maker?.assumeIsolated { $0.end(error) }
  }
}

extension FamilySession {
  private func readStandard(withInformation: Bool) async throws(HeadphoneError) -> DeviceInformation
  {
    let levels = reportedBatteries
    let isPlain = levels.count < 2 && (membership == nil || membership?.set.side != nil)
    let formats = isPlain ? [:] : try await presentationFormats(of: levels)
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
    // The new values replace all previous ones only now that they are here.
    let before = charges
    (charges, parts) = (BatteryCharges(), [:])
    let reported = levels.map { formats[$0.handle].flatMap { values[$0] } }
    for (level, part) in zip(levels, membership?.parts(reported) ?? BatteryParts.parts(reported)) {
      guard let part else { continue }
      parts[level.handle] = part
      if let value = values[level.handle] {
        parse(level: value, of: part)
      } else {
        charges.keep(part, from: before)
      }
      guard let status = standard.statuses[level.handle] else { continue }
      if let value = values[status.handle] {
        parse(status: value, of: part)
      } else {
        charges.keepCharging(of: part, from: before)
      }
    }
    if !charges.charges.isEmpty { emitter.report(.batteryChanged(charges.charges)) }
    if let reported = standard.fastPairModel.flatMap({ values[$0.handle] }), reported.count == 3 {
      fastPairModel = reported.reduce(0) { $0 << 8 | UInt32($1) }
    }
    return InformationUUIDs.standard.information { type in
      standard.information[type].flatMap { values[$0.handle] }.map(textFromAir)
    }
  }

  /// Returns the descriptors that distinguish batteries, or none if they cannot be discovered.
  private func presentationFormats(
    of levels: [Characteristic]
  ) async throws(HeadphoneError) -> [UInt16: UInt16] {
    do throws(HeadphoneError) {
      return try await descriptors(.presentationFormat, of: levels)
    } catch .gatt {
      return [:]
    }
  }

  func followValues() async throws(HeadphoneError) {
    endDeliveries()
    try await volume?.follow()
    for level in reportedBatteries {
      guard let part = parts[level.handle] else { continue }
      try await followBattery(level) { driver, value in driver.parse(level: value, of: part) }
      guard let status = standard.statuses[level.handle] else { continue }
      try await followBattery(status) { driver, value in driver.parse(status: value, of: part) }
    }
  }

  private func followBattery(
    _ characteristic: Characteristic,
    _ parse: @escaping @Sendable (isolated FamilySession, Bytes) -> Void
  ) async throws(HeadphoneError) {
    try await followIfAllowed(characteristic) { driver, value in
      let before = driver.charges
      parse(driver, value)
      if driver.charges != before { driver.emitter.report(.batteryChanged(driver.charges.charges)) }
    }
  }

  /// Starts or stops the alert of the Immediate Alert service, which affects both buds at once.
  ///
  /// A bud of a coordinated set only starts if it is among `sides`.
  private func alert(_ sides: Sides, isOn: Bool) async throws(HeadphoneError) {
    guard let alert = standard.alert else { throw .unsupported("find-me sound") }
    let isMeant = membership?.set.side.map { sides.contains($0.mask) } ?? true
    let level: Bytes = [isOn && isMeant ? Self.highAlert : 0]
    try await gatt { client throws(GATTError) in
      let goesWithout = alert.properties.contains(.writeWithoutResponse)
      try await client.write(level, to: alert, withResponse: !goesWithout)
    }
    emitter.report(.findChanged(!isOn ? [] : membership == nil ? .both : sides))
  }

  private static let highAlert: UInt8 = 2

  private var reportedBatteries: [Characteristic] {
    spoken?.capabilities.batteries.isEmpty == false ? [] : standard.batteries.filter(\.canRead)
  }

  private var isChargeAsked: Bool {
    maker?.assumeIsolated { $0.isChargeAsked } == true || !silentBatteries.isEmpty
  }

  private var silentBatteries: [Characteristic] {
    guard streamed.received?.capabilities.batteries.isEmpty != false else { return [] }
    return reportedBatteries.filter { level in
      parts[level.handle] != nil && level.properties.isDisjoint(with: [.notify, .indicate])
    }
  }

  private func parse(level value: Bytes, of part: Part) {
    parse(value) { charges, value throws(MalformedBytes) in
      try charges.parse(level: value, of: part)
    }
  }

  private func parse(status value: Bytes, of part: Part) {
    parse(value) { charges, value throws(MalformedBytes) in
      try charges.parse(status: value, of: part)
    }
  }

  private func parse(
    _ value: Bytes, _ change: (inout BatteryCharges, Bytes) throws(MalformedBytes) -> Void
  ) {
    // Fast Pair's message stream reports the battery of each part.
    guard streamed.received?.capabilities.batteries.isEmpty != false else { return }
    do throws(MalformedBytes) {
      try change(&charges, value)
    } catch {
      emitter.report(.malformed(error, value))
    }
  }

  // MARK: Fast Pair

  private func openStream() async {
    let stream = FastPairStream(
      beside: client, audioSide: audioSide, model: fastPairModel, clock: clock, emitter: emitter
    ) { [weak self] state in await self?.adopt(state) }
    self.stream = stream
    await stream.open()
  }

  private func adopt(_ state: FastPairStream.State) async {
    let before = streamed
    streamed = state
    // Otherwise, the last level of one part would be shown for the whole headphone.
    if before.received != nil, state.received == nil, !isOver {
      _ = try? await readStandard(withInformation: false)
    }
    if isDescribed, state.received != nil || state.missing != before.missing {
      emitter.report(.described(await description()))
    }
  }
}
