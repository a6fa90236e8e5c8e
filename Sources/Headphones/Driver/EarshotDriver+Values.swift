internal import BluetoothCodec
internal import GATT

/// Values that are read, not asked for by commands.
extension EarshotDriver {
  /// What was read; what could not be read is missing.
  struct ReadValues {
    var values: [UInt16: Bytes] = [:]
    /// The presentation format of each battery level that was read, by the level's handle.
    var formats: [UInt16: Bytes] = [:]
  }

  /// Reads what `reported` does not hold, all at once.
  func read(
    _ map: HeadphoneMap, _ reported: Told, withInformation: Bool
  ) async throws(HeadphoneError) -> ReadValues {
    var wanted: [Characteristic] = []
    if !reported.anc, let anc = map.ancMode { wanted.append(anc) }
    if !reported.eq, let eq = map.eqPreset { wanted.append(eq) }
    if !reported.battery { wanted += map.batteries }
    if withInformation { wanted += map.information.values.sorted { $0.handle < $1.handle } }
    wanted = wanted.filter(\.canRead)
    // A single battery needs no telling apart.
    let formats =
      reported.battery || map.batteries.count < 2 ? [:] : try await formatHandles(of: map.batteries)
    let handles = wanted.map(\.handle) + formats.values.sorted()
    guard !handles.isEmpty else { return ReadValues() }
    let results = try await gatt { client throws(GATTError) in
      try await client.readValues(handles)
    }
    for (handle, result) in results {
      if case .failure(let error) = result {
        emitter.report(.malformed("handle \(handle) cannot be read: \(error)"))
      }
    }
    let values = results.compactMapValues { try? $0.get() }
    return ReadValues(values: values, formats: formats.compactMapValues { values[$0] })
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
      handles[level.handle] = descriptors.first { $0.uuid == profile.battery.format }?.handle
    }
    return handles
  }

  /// Makes events of what was read.
  func receive(_ read: ReadValues, of map: HeadphoneMap) {
    receive(read, map.ancMode, as: ANCMode.self) { known.read($0) }
    receive(read, map.eqPreset, as: EQPreset.self) { known.read($0) }
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
    // Each call gave the sum of those before: one event tells them all.
    report(reported)
  }

  private func receive<Value: RawRepresentable<UInt8>>(
    _ read: ReadValues, _ characteristic: Characteristic?, as type: Value.Type,
    _ receive: (Value) -> [HeadphoneEvent]
  ) {
    guard let characteristic, let bytes = read.values[characteristic.handle] else { return }
    guard let raw = bytes.first, let value = Value(rawValue: raw) else {
      return reportMalformed(bytes, of: characteristic)
    }
    report(receive(value))
  }

  /// A value that is none of those that the characteristic may have.
  func reportMalformed(_ bytes: Bytes, of characteristic: Characteristic) {
    let reason: MalformedBytes.Reason =
      bytes.first.map { .badValue(UInt64($0)) } ?? .truncated(needed: 1, available: 0)
    report(MalformedBytes("value of \(characteristic.uuid)", at: 0, reason), bytes)
  }
}

/// A Battery Level as it may be read: %, 0 to 100.
private struct Level: RawRepresentable {
  var rawValue: UInt8

  init?(rawValue: UInt8) {
    guard rawValue <= 100 else { return nil }
    self.rawValue = rawValue
  }
}
