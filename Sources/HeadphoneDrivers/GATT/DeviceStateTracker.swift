internal import HeadphoneProtocols

/// The headphone's reported state, and the events to emit for its changes.
///
/// A change that this phone asked for is confirmed twice: by the response and, on most headphones,
/// by a notification. Whichever comes first goes out, the other one does not.
struct DeviceStateTracker: Sendable {
  private(set) var anc: ANCMode?
  private(set) var eq: EQPreset?
  private(set) var bands: [BandGain]?
  private(set) var batteries: [Part: Battery] = [:]
  private(set) var ringing: Sides = []
  /// What is asked for and not answered yet, and whether a notification has confirmed it.
  ///
  /// What is notified after that is newer than the response.
  private var askedMode: (mode: ANCMode, isNotified: Bool)?
  private var askedEQ: (preset: EQPreset, bands: [BandGain]?, isNotified: Bool)?
  /// What was confirmed by a response, so that its notification is no news.
  private var echoes: Set<Kind> = []
  /// Values notified during a read: the result of the read is older.
  private var reported: Set<Kind> = []

  enum Kind: Hashable, Sendable { case anc, eq, battery }

  // MARK: This phone's changes

  mutating func ask(_ mode: ANCMode) { askedMode = (mode, false) }

  mutating func ask(_ preset: EQPreset, bands: [BandGain]?) { askedEQ = (preset, bands, false) }

  mutating func refused(_ kind: Kind) {
    if kind == .anc { askedMode = nil } else { askedEQ = nil }
  }

  /// The headphone has accepted a mode.
  mutating func accepted(_ mode: ANCMode) -> [HeadphoneEvent] {
    defer { askedMode = nil }
    guard askedMode?.isNotified != true else { return [] }
    reported.insert(.anc)
    anc = mode
    echoes.insert(.anc)
    return [.ancChanged(mode)]
  }

  /// The headphone has accepted a preset, and gains where they were part of the wish.
  mutating func accepted(_ preset: EQPreset, bands requested: [BandGain]?) -> [HeadphoneEvent] {
    defer { askedEQ = nil }
    guard askedEQ?.isNotified != true else { return [] }
    reported.insert(.eq)
    eq = preset
    bands = requested ?? bands
    echoes.insert(.eq)
    return [.eqChanged(preset, bands: requested)]
  }

  mutating func accepted(ringing sides: Sides) -> [HeadphoneEvent] {
    ringing = sides
    return [.findChanged(sides)]
  }

  /// Drops expected echoes, so that every notification is emitted.
  mutating func expectNoEchoes() { echoes = [] }

  // MARK: What is read

  /// Begins a read: notifications from now on are newer than its result.
  mutating func beginReading() { reported = [] }

  /// A mode that was read; no news if it has changed since.
  mutating func read(_ mode: ANCMode) -> [HeadphoneEvent] {
    reported.contains(.anc) ? [] : received(mode)
  }

  mutating func read(_ preset: EQPreset) -> [HeadphoneEvent] {
    reported.contains(.eq) ? [] : received(preset, nil)
  }

  // MARK: Events from the headphone

  /// An event that it notified, or that it answered when asked for its state.
  mutating func receive(_ event: WireEvent) -> [HeadphoneEvent] {
    switch event {
    case .wearing(let left, let right): wearing(left: left, right: right)
    case .battery(let report): received(report.batteries)
    case .anc(let mode): received(mode)
    case .eq(let preset, let bands): received(preset, bands)
    case .caseLid(let isOpen): [.caseLidChanged(isOpen: isOpen)]
    case .touch(let side, let gesture): [.touchUsed(side, gesture)]
    case .firmwareProgress(let percent): [.firmwareProgress(percent)]
    case .error(let status): [.reportedError(status)]
    // Only a sender of firmware uses it.
    case .firmwareAcknowledged: []
    }
  }

  /// A level by a Battery service, which does not tell whether it charges.
  mutating func received(level: UInt8, of part: Part) -> [HeadphoneEvent] {
    received([part: Battery(level: level, isCharging: batteries[part]?.isCharging)])
  }

  // MARK: Notifications of single values

  /// A value's own notification: news only if no event has reported the same.
  mutating func noticed(_ mode: ANCMode) -> [HeadphoneEvent] {
    guard mode != anc else { return [] }
    defer { echoes.insert(.anc) }
    return received(mode)
  }

  mutating func noticed(_ preset: EQPreset) -> [HeadphoneEvent] {
    guard preset != eq else { return [] }
    defer { echoes.insert(.eq) }
    return received(preset, nil)
  }

  mutating func noticed(level: UInt8, of part: Part) -> [HeadphoneEvent] {
    guard level != batteries[part]?.level else { return [] }
    defer { echoes.insert(.battery) }
    return received(level: level, of: part)
  }

  mutating func received(bands: [BandGain]) -> [HeadphoneEvent] {
    self.bands = bands
    return eq.map { [.eqChanged($0, bands: bands)] } ?? []
  }

  private mutating func received(_ mode: ANCMode) -> [HeadphoneEvent] {
    if askedMode?.mode == mode { askedMode?.isNotified = true }
    let isEcho = echoes.remove(.anc) != nil && anc == mode
    reported.insert(.anc)
    anc = mode
    return isEcho ? [] : [.ancChanged(mode)]
  }

  private mutating func received(_ preset: EQPreset, _ reported: [BandGain]?) -> [HeadphoneEvent] {
    let isKnown = eq == preset && (reported == nil || reported == bands)
    let isEcho = echoes.remove(.eq) != nil && isKnown
    self.reported.insert(.eq)
    eq = preset
    bands = reported ?? bands
    if let asked = askedEQ, asked.preset == preset, asked.bands == nil || asked.bands == bands {
      askedEQ?.isNotified = true
    }
    return isEcho ? [] : [.eqChanged(preset, bands: reported)]
  }

  private mutating func received(_ reported: [Part: Battery]) -> [HeadphoneEvent] {
    // A part whose level was never known is perhaps none of this headphone's.
    let own = reported.filter { $0.value.level != nil || batteries[$0.key] != nil }
    let after = batteries.merging(own) { $1 }
    let isEcho = echoes.remove(.battery) != nil && after == batteries
    batteries = after
    return isEcho ? [] : [.batteryChanged(batteries)]
  }

  /// A bud that is put into an ear stops ringing.
  private mutating func wearing(left: Bool, right: Bool) -> [HeadphoneEvent] {
    var worn: Sides = []
    if left { worn.insert(.left) }
    if right { worn.insert(.right) }
    let reported = HeadphoneEvent.wearingChanged(Wearing(left: left, right: right))
    guard !ringing.isDisjoint(with: worn) else { return [reported] }
    return [reported] + accepted(ringing: ringing.subtracting(worn))
  }
}
