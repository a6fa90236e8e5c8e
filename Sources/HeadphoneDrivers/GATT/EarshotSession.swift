internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

/// A session with a headphone that has the protocol of docs/protocol.md.
///
/// Events keep the headphone's order. A change that this phone requested is reported exactly once,
/// when the headphone has accepted it, whether or not the headphone also notifies it. Missing
/// features are absent from the description, and their commands throw `unsupported`.
actor EarshotSession: GATTSession, ValueFollower {
  nonisolated let client: GATTClient
  var deliveries: [ValueDelivery] = []
  nonisolated let emitter: EventEmitter
  private var acknowledgementSink: AsyncStream<FirmwareAcknowledgement>.Continuation?
  private(set) var isOver = false

  private var map: HeadphoneMap
  private var reason: String?
  private var read: [UInt16: Bytes] = [:]
  private var capabilities = Capabilities()
  private var report: CapabilityReport?
  private var known = DeviceStateTracker()
  private var parts: [UInt16: Part] = [:]

  private lazy var channel = EarshotChannel(over: client, clock: clock, emitter: emitter) {
    [weak self] event in
    self?.assumeIsolated { $0.receive(event) }
  } hasEnded: { [weak self] error in
    self?.assumeIsolated { $0.hasEnded(error) }
  }
  private let clock: any Clock<Duration>
  private nonisolated let hasEnded: @Sendable (HeadphoneError) -> Void

  /// Creates a session, in which a response may take 2 s by `clock`.
  init(
    _ map: HeadphoneMap, of client: GATTClient, clock: any Clock<Duration>, emitter: EventEmitter,
    hasEnded: @escaping @Sendable (HeadphoneError) -> Void
  ) {
    self.map = map
    self.client = client
    self.emitter = emitter
    self.clock = clock
    self.hasEnded = hasEnded
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  private var profile: DeviceProfile { map.profile }

  func listen() async { await channel.listen(to: map) }

  func adopt(_ map: HeadphoneMap, because reason: String, read: [UInt16: Bytes]) {
    self.map = map
    self.reason = reason
    self.read = read
  }

  func start() async throws(HeadphoneError) -> HeadphoneDescription {
    emitter.report(.starting(.subscribing))
    await listen()
    let subscribing = try await channel.open(map)
    let information: DeviceInformation
    do throws(HeadphoneError) {
      information = try await readEverything(isStart: true)
    } catch {
      // If the subscription failed, its error comes first, for example of a link that ended with a
      // failed pairing.
      try await subscribing.value.get()
      throw error
    }
    try await subscribing.value.get()
    var description = HeadphoneDescription(
      driver: profile.name, capabilities: capabilities, information: information,
      mtu: await client.mtu, requests: await client.requestCount)
    description.reason = reason
    description.missing += await omissions
    return description
  }

  func refresh() async throws(HeadphoneError) {
    known.expectNoEchoes()
    _ = try await readEverything(isStart: false)
  }

  func findHandles(in database: Database) async throws(HeadphoneError) {
    map = try HeadphoneMap(database, [profile])
    await channel.move(to: map)
  }

  /// Does nothing, as all values are read again.
  func takeUpServices(in database: Database) {}

  /// Repeats commands, and has all values read again, as new firmware may have other values.
  func servicesHaveMoved() async -> Bool {
    await channel.repeatCommands()
    return true
  }

  func end(_ error: HeadphoneError) {
    channel.assumeIsolated { $0.end(error) }
    isOver = true
    endDeliveries()
    acknowledgementSink?.finish()
  }

  private func receive(_ event: WireEvent) {
    if case .firmwareAcknowledged(let acknowledgement) = event {
      acknowledgementSink?.yield(acknowledgement)
    } else {
      emitter.report(known.receive(event))
    }
  }
}

extension EarshotSession {
  /// Requests capabilities and state, and reads the remaining values; each becomes an event.
  ///
  /// Commands take no ATT request, so they go first and only values that their responses lack are
  /// read. The information is read at the same time.
  private func readEverything(isStart: Bool) async throws(HeadphoneError) -> DeviceInformation {
    let information = isStart ? Task { await readInformation() } : nil
    if isStart { try await queryCapabilities() }
    var reported = ReportedFields()
    if let report {
      let hasBands = report.features.contains(.customEQ)
      // The state seldom contains the bands, so both commands are sent at once if the window allows
      // that.
      let bands = hasBands && report.window > 1 ? Task { await queryCustomEQ() } : nil
      reported = try await queryState()
      if let bands {
        try await bands.value.get()
      } else if hasBands, !reported.bands {
        try await queryCustomEQ().get()
      }
    }
    known.beginReading()
    var values = try await readValues(besides: reported)
    if let information { values.values.merge(try await information.value.get()) { new, _ in new } }
    values.values.merge(read) { new, _ in new }
    read = [:]
    receive(values)
    if isStart {
      let batteries = Set(known.batteries.keys).union(parts.values)
      capabilities = Capabilities(report, map, profile, batteries: batteries)
    }
    return profile.information.information { type in
      map.information[type].flatMap { values.values[$0.handle] }.map(textFromAir)
    }
  }

  // MARK: Commands

  /// Requests the capabilities; without a response, they are inferred from the attributes.
  private func queryCapabilities() async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      let data = try await send(.capabilities)
      report = decoded(data) { bytes throws(MalformedBytes) in
        try CapabilityReport(decoding: bytes)
      }
      await channel.setWindow(Int(report?.window ?? 1))
    } catch {
      try tolerate(error)
    }
  }

  private struct ReportedFields {
    var anc = false
    var eq = false
    var bands = false
    var battery = false

    /// Notes a value; batteries are still read if there are more services than reported levels.
    fileprivate mutating func note(_ event: WireEvent, batteries: Int) {
      switch event {
      case .anc: anc = true
      case .eq(_, let bands):
        eq = true
        self.bands = bands != nil
      case .battery(let report):
        battery = report.batteries.values.count { $0.level != nil } >= max(1, batteries)
      default: break
      }
    }
  }

  private func queryState() async throws(HeadphoneError) -> ReportedFields {
    var reported = ReportedFields()
    do throws(HeadphoneError) {
      let data = try await send(.state) { driver, data in
        for entry in StateReport(decoding: data).entries {
          switch entry {
          case .malformed(let error, let bytes): driver.emitter.report(.malformed(error, bytes))
          case .event(let event): driver.emitter.report(driver.known.receive(event))
          }
        }
      }
      for case .event(let event) in StateReport(decoding: data).entries {
        reported.note(event, batteries: map.batteries.count)
      }
    } catch {
      try tolerate(error)
    }
    return reported
  }

  private func queryCustomEQ() async -> Result<Void, HeadphoneError> {
    do throws(HeadphoneError) {
      try await send(.customEQ) { driver, data in
        let gains = driver.decoded(data) { bytes throws(MalformedBytes) in
          try BandGains(decoding: bytes)
        }
        if let gains { driver.emitter.report(driver.known.received(bands: gains.gains)) }
      }
      return .success(())
    } catch {
      return Result { () throws(HeadphoneError) in try tolerate(error) }
    }
  }

  /// Ignores an error status or a missing response, which costs no more than a feature.
  private func tolerate(_ error: HeadphoneError) throws(HeadphoneError) {
    switch error {
    case .refused, .noResponse: return
    default: throw error
    }
  }

  /// Returns the decoded response, or nil after reporting that it is malformed.
  private func decoded<Value>(
    _ bytes: Bytes, _ decode: (Bytes) throws(MalformedBytes) -> Value
  ) -> Value? {
    do throws(MalformedBytes) {
      return try decode(bytes)
    } catch {
      emitter.report(.malformed(error, bytes))
      return nil
    }
  }
}

extension EarshotSession {
  private struct ReadValues {
    var values: [UInt16: Bytes] = [:]
    var formats: [UInt16: Bytes] = [:]
  }

  private func readValues(
    besides reported: ReportedFields
  ) async throws(HeadphoneError) -> ReadValues {
    var wanted: [Characteristic] = []
    if !reported.anc, let anc = map.ancMode { wanted.append(anc) }
    if !reported.eq, let eq = map.eqPreset { wanted.append(eq) }
    if !reported.battery { wanted += map.batteries }
    // A single battery needs no presentation format.
    let formats =
      reported.battery || map.batteries.count < 2
      ? [:] : try await descriptors(profile.battery.format, of: map.batteries)
    let values = try await read(wanted, and: formats.values.sorted())
    return ReadValues(values: values, formats: formats.compactMapValues { values[$0] })
  }

  private func readInformation() async -> Result<[UInt16: Bytes], HeadphoneError> {
    do throws(HeadphoneError) {
      return .success(try await read(map.readableInformation))
    } catch {
      return .failure(error)
    }
  }

  /// Reads characteristics without a value, and descriptors; returns the values by handle.
  private func read(
    _ characteristics: [Characteristic], and descriptors: [UInt16] = []
  ) async throws(HeadphoneError) -> [UInt16: Bytes] {
    let wanted = characteristics.filter { $0.canRead && read[$0.handle] == nil }
    let handles = wanted.map(\.handle) + descriptors
    guard !handles.isEmpty else { return [:] }
    let results = try await gatt { client throws(GATTError) in
      try await client.readValues(handles)
    }
    let omitted = await client.omissions
    for (handle, result) in results where !omitted.contains(.read(handle: handle)) {
      if case .failure(let error) = result {
        emitter.report(.malformed("handle \(handle) cannot be read: \(error)"))
      }
    }
    return results.compactMapValues { try? $0.get() }
  }

  private func receive(_ read: ReadValues) {
    receive(read, map.ancMode, as: ANCMode.self) { known.read(.ancChanged($0)) }
    receive(read, map.eqPreset, as: EQPreset.self) { known.read(.eqChanged($0, bands: nil)) }
    let levels = map.batteries.filter { read.values[$0.handle] != nil }
    guard !levels.isEmpty else { return }
    let parts = BatteryParts.parts(map.batteries.map { read.formats[$0.handle] })
    self.parts = [:]
    var reported: [HeadphoneEvent] = []
    for (level, part) in zip(map.batteries, parts) {
      guard let part else { continue }
      self.parts[level.handle] = part
      receive(read, level, as: Level.self) { value in
        reported = known.received(level: value.rawValue, of: part)
        return []
      }
    }
    // Each call returned the sum of all levels so far, so the last event is enough.
    emitter.report(reported)
  }

  private func receive<Value: RawRepresentable<UInt8>>(
    _ read: ReadValues, _ characteristic: Characteristic?, as type: Value.Type,
    _ receive: (Value) -> [HeadphoneEvent]
  ) {
    guard let characteristic, let bytes = read.values[characteristic.handle] else { return }
    guard let raw = bytes.first, let value = Value(rawValue: raw) else {
      return reportMalformed(bytes, of: characteristic)
    }
    emitter.report(receive(value))
  }

  private func reportMalformed(_ bytes: Bytes, of characteristic: Characteristic) {
    let reason: MalformedBytes.Reason =
      bytes.first.map { .badValue(UInt64($0)) } ?? .truncated(needed: 1, available: 0)
    emitter.report(
      .malformed(MalformedBytes("value of \(characteristic.uuid)", at: 0, reason), bytes))
  }
}

private struct Level: RawRepresentable {
  var rawValue: UInt8

  init?(rawValue: UInt8) {
    guard rawValue <= 100 else { return nil }
    self.rawValue = rawValue
  }
}

/// The values that are notified separately, in case no event reports them.
extension EarshotSession {
  func followValues() async throws(HeadphoneError) {
    endDeliveries()
    guard report == nil else { return }
    if let anc = map.ancMode {
      try await followByte(anc) { driver, value in
        ANCMode(rawValue: value).map { driver.known.noticed(.ancChanged($0)) }
      }
    }
    if let eq = map.eqPreset {
      try await followByte(eq) { driver, value in
        EQPreset(rawValue: value).map { driver.known.noticed(.eqChanged($0, bands: nil)) }
      }
    }
    for level in map.batteries {
      guard let part = parts[level.handle] else { continue }
      try await followByte(level) { driver, value in
        value <= 100 ? driver.known.noticed(level: value, of: part) : nil
      }
    }
  }

  /// Follows a value of one byte; `receive` returns nil for an invalid one.
  private func followByte(
    _ characteristic: Characteristic,
    _ receive: @escaping @Sendable (isolated EarshotSession, UInt8) -> [HeadphoneEvent]?
  ) async throws(HeadphoneError) {
    try await follow(characteristic) { driver, value in
      if let byte = value.first, let events = receive(driver, byte) {
        driver.emitter.report(events)
      } else {
        driver.reportMalformed(value, of: characteristic)
      }
    }
  }
}

extension EarshotSession {
  /// Carries out a command, with FFF1 or FFF2 if these can be written, or else with a packet.
  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    switch command {
    case .setANC(let mode): try await set(mode)
    case .setANCLevel(let level):
      try need(capabilities.hasANCLevel, "noise control level")
      guard level <= WireCommand.highestANCLevel else {
        throw .level(level, outside: 0...WireCommand.highestANCLevel)
      }
      try await send(.setANCLevel(level))
      emitter.report([.ancLevelChanged(level)])
    case .setEQ(let preset): try await set(preset)
    case .setCustomEQ(let gains): try await set(gains)
    case .setVolume: throw .unsupported("volume")
    case .find(let sides, let isOn): try await find(sides, isOn: isOn)
    case .setTouchAction(let side, let gesture, let action):
      try need(capabilities.hasTouchActions, "touch actions")
      try await send(.setTouchAction(side, gesture, action))
      emitter.report([.touchActionsChanged([side: [gesture: action]])])
    case .readTouchActions: try await readTouchActions()
    case .set(.wearDetection, .toggle(let isOn)):
      try need(capabilities.declares(.wearDetection), "wear detection")
      try await send(.setWearDetection(isOn: isOn))
      emitter.report([.settingChanged(.wearDetection, .toggle(isOn))])
    case .set(let id, _): throw .unsupported(id.displayText)
    case .broadcast, .announceSearch: throw .unsupported("Auracast")
    case .pairedDevice: throw .unsupported("list of paired devices")
    case .rename(let name): try await rename(name)
    case .restart: try await sendEndingLink(.restart)
    case .factoryReset:
      try need(capabilities.hasFactoryReset, "factory reset")
      try await sendEndingLink(.factoryReset)
    }
  }

  /// Sends a command; `receive` gets the response's data when it arrives among the events.
  @discardableResult
  private func send(
    _ command: WireCommand,
    receive: @escaping @Sendable (isolated EarshotSession, Bytes) -> Void = { _, _ in }
  ) async throws(HeadphoneError) -> Bytes {
    try await channel.send(command.id, command.payload) { data in
      self.assumeIsolated { receive($0, data) }
    }
  }

  private func need(_ isThere: Bool, _ feature: @autoclosure () -> String) throws(HeadphoneError) {
    guard isThere else { throw .unsupported(feature()) }
  }

  // MARK: Noise control and equaliser, whose changes are reported once: by notification or response

  private func set(_ mode: ANCMode) async throws(HeadphoneError) {
    try need(!capabilities.ancModes.isEmpty, "noise control")
    try need(capabilities.ancModes.contains(mode), "noise control mode \"\(mode)\"")
    known.request(.ancChanged(mode))
    try await write(mode.rawValue, to: map.ancMode, or: .setANC(mode))
    emitter.report(known.accepted(.ancChanged(mode)))
  }

  private func set(_ preset: EQPreset) async throws(HeadphoneError) {
    try need(!capabilities.eqPresets.isEmpty, "equaliser")
    try need(capabilities.eqPresets.contains(preset), "equaliser preset \"\(preset)\"")
    known.request(.eqChanged(preset, bands: nil))
    try await write(preset)
    emitter.report(known.accepted(.eqChanged(preset, bands: nil)))
  }

  /// Sets the gains and selects the custom preset, which makes them audible.
  private func set(_ gains: [BandGain]) async throws(HeadphoneError) {
    try need(capabilities.eqBands > 0, "custom equaliser")
    guard gains.count == capabilities.eqBands else {
      throw .gains(gains.count, insteadOf: capabilities.eqBands)
    }
    known.request(.eqChanged(.custom, bands: gains))
    try await send(.setCustomEQ(gains))
    if known.eq != .custom { try await write(.custom) }
    emitter.report(known.accepted(.eqChanged(.custom, bands: gains)))
  }

  private func write(_ preset: EQPreset) async throws(HeadphoneError) {
    try await write(preset.rawValue, to: map.eqPreset, or: .setEQ(preset))
  }

  /// Writes a value to its characteristic, or else sends the command if it cannot be written.
  private func write(
    _ value: UInt8, to characteristic: Characteristic?, or command: WireCommand
  ) async throws(HeadphoneError) {
    guard let characteristic, characteristic.canWrite else {
      try await send(command)
      return
    }
    try await gatt { client throws(GATTError) in
      try await client.write([value], to: characteristic)
    }
  }

  // MARK: Other settings

  private func find(_ sides: Sides, isOn: Bool) async throws(HeadphoneError) {
    try need(capabilities.hasFind, "find-me sound")
    guard !sides.isEmpty else { throw .badArgument("no bud to find") }
    let others = known.ringing.subtracting(sides)
    if isOn, !others.isEmpty { try await send(.find(others, isOn: false)) }
    try await send(.find(sides, isOn: isOn))
    emitter.report(known.accepted(ringing: isOn ? sides : others))
  }

  private func readTouchActions() async throws(HeadphoneError) {
    try need(capabilities.hasTouchActions, "touch actions")
    let data = try await send(.touchActions)
    let table = decoded(data) { bytes throws(MalformedBytes) in
      try TouchActionTable(decoding: bytes)
    }
    if let table { emitter.report([.touchActionsChanged(table.actions)]) }
  }

  private func rename(_ name: String) async throws(HeadphoneError) {
    try need(capabilities.hasRename, "rename")
    guard WireCommand.nameLength.contains(name.utf8.count) else {
      throw .badArgument("a name has 1 to 32 bytes, this one \(name.utf8.count)")
    }
    guard displayable(name) == name else {
      throw .badArgument("the name has characters that cannot be shown")
    }
    try await send(.rename(name))
    emitter.report([.renamed(name)])
  }

  /// Sends a command that ends the link, perhaps before the response is received.
  private func sendEndingLink(_ command: WireCommand) async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      try await send(command)
    } catch .closed(let closed) {
      guard await channel.ended != nil else { throw .closed(closed) }
    }
  }
}

extension EarshotSession: FirmwareLink {
  /// Returns the link with its firmware revision read again; throws `unsupported` without updates.
  func describe() async throws(HeadphoneError) -> FirmwareUpdate.Link {
    guard capabilities.hasFirmwareUpdate else { throw .unsupported("firmware update") }
    return FirmwareUpdate.Link(
      longestValue: await client.longestShortWrite,
      hasDataCharacteristic: map.firmwareData != nil, commandWindow: await channel.window,
      packetLength: await client.bearer.measure().packetLength, revision: try await revision())
  }

  func acknowledgements() -> AsyncStream<FirmwareAcknowledgement> {
    acknowledgementSink?.finish()
    // Acknowledgements are cumulative, so old ones may be dropped.
    let (acknowledgements, sink) = AsyncStream<FirmwareAcknowledgement>.makeStream(
      bufferingPolicy: .bufferingNewest(64))
    if isOver { sink.finish() }
    acknowledgementSink = sink
    return acknowledgements
  }

  /// Reads the firmware revision again, as the headphone may have restarted into another image.
  private func revision() async throws(HeadphoneError) -> FirmwareVersion? {
    guard let firmware = map.information[profile.information.firmware] else { return nil }
    let value = try await gatt { client throws(GATTError) in
      try await client.read(firmware.handle)
    }
    return FirmwareVersion(textFromAir(value))
  }

  func perform(_ request: FirmwareRequest) async throws(HeadphoneError) -> Bytes {
    try await channel.send(request.id, request.payload)
  }

  func write(_ frame: FirmwareFrame) async throws(HeadphoneError) {
    guard let firmware = map.firmwareData else { throw .unsupported("firmware data") }
    let value = frame.encoded()
    try await gatt { client throws(GATTError) in
      try await client.write(value[...], to: firmware, withResponse: false)
    }
  }
}
