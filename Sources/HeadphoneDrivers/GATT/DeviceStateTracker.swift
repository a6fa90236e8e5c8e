internal import HeadphoneProtocols

/// A tracker of the headphone's reported state, which returns the events for its changes.
///
/// A change that this phone requested is confirmed twice: by the response and, on most headphones,
/// by a notification. Only the first confirmation is reported.
struct DeviceStateTracker: Sendable {
  private var values: [SettingID: SettingValue] = [:]
  private(set) var batteries: [Part: Battery] = [:]
  private(set) var ringing: Sides = []
  /// The notified values of each setting.
  ///
  /// They supersede a read that began before, and the response to a request of the same value.
  private var notified: [SettingID: Set<SettingValue>] = [:]
  /// The settings that a response has confirmed, so that their next notification is no news.
  private var echoes: Set<SettingID> = []
  private var echoesBattery = false

  var eq: EQPreset? { values[.equaliserPreset].flatMap(EQPreset.init(setting:)) }

  // MARK: This phone's changes

  /// Records a requested change, which the response and perhaps a notification will report.
  mutating func request(_ change: HeadphoneEvent) {
    for (id, value) in change.settings { notified[id]?.remove(value) }
  }

  /// Returns the events for an accepted change, or none if it was already notified.
  ///
  /// Later notifications are newer than the response.
  mutating func accepted(_ change: HeadphoneEvent) -> [HeadphoneEvent] {
    guard !change.settings.allSatisfy({ notified[$0.id]?.contains($0.value) == true }) else {
      return []
    }
    adopt(change)
    echoes.formUnion(change.settings.prefix(1).map(\.id))
    return [change]
  }

  mutating func accepted(ringing sides: Sides) -> [HeadphoneEvent] {
    ringing = sides
    return [.findChanged(sides)]
  }

  mutating func expectNoEchoes() { (echoes, echoesBattery) = ([], false) }

  // MARK: Reads

  /// Starts a read; notifications from now on are newer than its result.
  mutating func beginReading() { notified = [:] }

  /// Returns the events for a value that was read, or none if it has changed since the read began.
  mutating func read(_ value: HeadphoneEvent) -> [HeadphoneEvent] {
    value.settings.contains { notified[$0.id]?.isEmpty == false } ? [] : received(value)
  }

  // MARK: Events from the headphone

  mutating func receive(_ event: WireEvent) -> [HeadphoneEvent] {
    switch event {
    case .wearing(let left, let right): wearing(left: left, right: right)
    case .battery(let report): received(report.batteries)
    case .anc(let mode): received(.ancChanged(mode))
    case .eq(let preset, let bands): received(.eqChanged(preset, bands: bands))
    case .caseLid(let isOpen): [.caseLidChanged(isOpen: isOpen)]
    case .touch(let side, let gesture): [.touchUsed(side, gesture)]
    case .firmwareProgress(let percent): [.firmwareProgress(percent)]
    case .error(let status): [.reportedError(status)]
    // Only a firmware update uses these.
    case .firmwareAcknowledged: []
    }
  }

  /// Returns the events for a Battery Level, which does not contain the charging state.
  mutating func received(level: UInt8, of part: Part) -> [HeadphoneEvent] {
    received([part: Battery(level: level, isCharging: batteries[part]?.isCharging)])
  }

  // MARK: Notifications of single values

  /// Returns the events for a notified value, or none if an event has reported the same value.
  mutating func noticed(_ change: HeadphoneEvent) -> [HeadphoneEvent] {
    guard !isKnown(change) else { return [] }
    defer { echoes.formUnion(change.settings.map(\.id)) }
    return received(change)
  }

  mutating func noticed(level: UInt8, of part: Part) -> [HeadphoneEvent] {
    guard level != batteries[part]?.level else { return [] }
    defer { echoesBattery = true }
    return received(level: level, of: part)
  }

  mutating func received(bands: [BandGain]) -> [HeadphoneEvent] {
    values[.equaliserBands] = bands.settingValue
    return eq.map { [.eqChanged($0, bands: bands)] } ?? []
  }

  private func isKnown(_ change: HeadphoneEvent) -> Bool {
    change.settings.allSatisfy { values[$0.id] == $0.value }
  }

  private mutating func adopt(_ change: HeadphoneEvent) {
    for (id, value) in change.settings {
      values[id] = value
      notified[id, default: []].insert(value)
    }
  }

  private mutating func received(_ change: HeadphoneEvent) -> [HeadphoneEvent] {
    let isExpected = change.settings.first.flatMap { echoes.remove($0.id) } != nil
    let isEcho = isExpected && isKnown(change)
    adopt(change)
    return isEcho ? [] : [change]
  }

  private mutating func received(_ reported: [Part: Battery]) -> [HeadphoneEvent] {
    // A part whose level has never been known may not exist on this headphone.
    let own = reported.filter { $0.value.level != nil || batteries[$0.key] != nil }
    let after = batteries.merging(own) { $1 }
    let isEcho = echoesBattery && after == batteries
    (batteries, echoesBattery) = (after, false)
    return isEcho ? [] : [.batteryChanged(batteries)]
  }

  /// Returns the events for worn buds; a bud that is put into an ear stops ringing.
  private mutating func wearing(left: Bool, right: Bool) -> [HeadphoneEvent] {
    var worn: Sides = []
    if left { worn.insert(.left) }
    if right { worn.insert(.right) }
    let reported = HeadphoneEvent.wearingChanged(Wearing(left: left, right: right))
    guard !ringing.isDisjoint(with: worn) else { return [reported] }
    return [reported] + accepted(ringing: ringing.subtracting(worn))
  }
}
