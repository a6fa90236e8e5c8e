internal import BluetoothCodec
internal import GATT

/// What the standard services tell and do.
extension FamilyDriver {
  /// Reads batteries, where the family's language does not tell them, and information.
  func readStandard(withInformation: Bool) async throws(HeadphoneError) -> DeviceInformation {
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
  func followStandard() async throws(HeadphoneError) {
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
  func alert(_ sides: Sides, isOn: Bool) async throws(HeadphoneError) {
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
  /// What the standard services add to what a family's language tells.
  func with(
    _ standard: StandardServices, _ reported: [Part: Battery], _ set: CoordinatedSet?
  ) -> Capabilities {
    var all = self
    if all.batteries.isEmpty { all.batteries = Part.allCases.filter { reported[$0] != nil } }
    // A bud tells its own; the other one is there, wherever it is now.
    if set?.others == 1, !reported.isEmpty {
      all.batteries = Part.allCases.filter { $0 != .case || all.batteries.contains(.case) }
    }
    if all.batteries.contains(.case) { all.hasCase = true }
    if standard.alert != nil { all.hasFind = true }
    all.hasVolume = standard.volume != nil
    return all
  }

  /// What Fast Pair's message stream adds; nil: nothing.
  func with(_ stream: FastPairProtocol?) -> Capabilities {
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
  func filled(by other: DeviceInformation?) -> DeviceInformation {
    DeviceInformation(
      manufacturer: manufacturer ?? other?.manufacturer, model: model ?? other?.model,
      serial: serial ?? other?.serial, firmware: firmware ?? other?.firmware,
      hardware: hardware ?? other?.hardware)
  }
}
