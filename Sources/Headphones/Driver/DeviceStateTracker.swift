/// What the headphone has told so far, and what of it goes out as an event.
///
/// A change that this phone asked for is confirmed twice: by the response and, on most headphones,
/// by a notification. Whichever comes first goes out, the other one does not.
struct DeviceStateTracker: Sendable {
  private(set) var anc: ANCMode?
  private(set) var eq: EQPreset?
  private(set) var bands: [BandGain]?
  private(set) var batteries: [Part: Battery] = [:]
  private(set) var ringing: Sides = []
  /// What is asked for and not answered yet, and whether it was told meanwhile.
  private var asked: [Kind: Bool] = [:]
  /// What was confirmed by a response, so that its notification is no news.
  private var echoes: Set<Kind> = []
  /// What was told since values are being read: what is read is older.
  private var told: Set<Kind> = []

  enum Kind: Hashable, Sendable { case anc, eq, battery }

  // MARK: This phone's changes

  mutating func ask(_ kind: Kind) { asked[kind] = false }

  mutating func refused(_ kind: Kind) { asked[kind] = nil }

  /// The headphone has accepted a mode.
  mutating func accepted(_ mode: ANCMode) -> [HeadphoneEvent] {
    let wasTold = asked.removeValue(forKey: .anc) == true && anc == mode
    told.insert(.anc)
    anc = mode
    guard !wasTold else { return [] }
    echoes.insert(.anc)
    return [.ancChanged(mode)]
  }

  /// The headphone has accepted a preset, and gains where they were part of the wish.
  mutating func accepted(_ preset: EQPreset, bands wished: [BandGain]?) -> [HeadphoneEvent] {
    let isKnown = eq == preset && (wished == nil || bands == wished)
    let wasTold = asked.removeValue(forKey: .eq) == true && isKnown
    told.insert(.eq)
    eq = preset
    bands = wished ?? bands
    guard !wasTold else { return [] }
    echoes.insert(.eq)
    return [.eqChanged(preset, bands: wished)]
  }

  mutating func accepted(ringing sides: Sides) -> [HeadphoneEvent] {
    ringing = sides
    return [.findChanged(sides)]
  }

  /// All is told, whatever was confirmed before.
  mutating func expectNoEchoes() { echoes = [] }

  // MARK: What is read

  /// From now on what is told is newer than what is being read.
  mutating func beginReading() { told = [] }

  /// A mode that was read; no news if it has changed since.
  mutating func read(_ mode: ANCMode) -> [HeadphoneEvent] {
    told.contains(.anc) ? [] : heard(mode)
  }

  mutating func read(_ preset: EQPreset) -> [HeadphoneEvent] {
    told.contains(.eq) ? [] : heard(preset, nil)
  }

  // MARK: What the headphone tells

  /// An event that it notified, or that it answered when asked for its state.
  mutating func receive(_ event: WireEvent) -> [HeadphoneEvent] {
    switch event {
    case .wearing(let left, let right): wearing(left: left, right: right)
    case .battery(let report): heard(report.batteries)
    case .anc(let mode): heard(mode)
    case .eq(let preset, let bands): heard(preset, bands)
    case .caseLid(let isOpen): [.caseLidChanged(isOpen: isOpen)]
    case .touch(let side, let gesture): [.touchUsed(side, gesture)]
    case .firmwareProgress(let percent): [.firmwareProgress(percent)]
    case .error(let status): [.reportedError(status)]
    // Only who sends firmware has a use for it.
    case .firmwareAcknowledged: []
    }
  }

  /// A level by a Battery service, which does not tell whether it charges.
  mutating func heard(level: UInt8, of part: Part) -> [HeadphoneEvent] {
    heard([part: Battery(level: level, isCharging: batteries[part]?.isCharging)])
  }

  // MARK: What single values tell beside the events

  /// A value's own notification: news only if no event has told the same.
  mutating func noticed(_ mode: ANCMode) -> [HeadphoneEvent] {
    guard mode != anc else { return [] }
    defer { echoes.insert(.anc) }
    return heard(mode)
  }

  mutating func noticed(_ preset: EQPreset) -> [HeadphoneEvent] {
    guard preset != eq else { return [] }
    defer { echoes.insert(.eq) }
    return heard(preset, nil)
  }

  mutating func noticed(level: UInt8, of part: Part) -> [HeadphoneEvent] {
    guard level != batteries[part]?.level else { return [] }
    defer { echoes.insert(.battery) }
    return heard(level: level, of: part)
  }

  mutating func heard(bands: [BandGain]) -> [HeadphoneEvent] {
    self.bands = bands
    return eq.map { [.eqChanged($0, bands: bands)] } ?? []
  }

  private mutating func heard(_ mode: ANCMode) -> [HeadphoneEvent] {
    if asked[.anc] != nil { asked[.anc] = true }
    let isEcho = echoes.remove(.anc) != nil && anc == mode
    told.insert(.anc)
    anc = mode
    return isEcho ? [] : [.ancChanged(mode)]
  }

  private mutating func heard(_ preset: EQPreset, _ told: [BandGain]?) -> [HeadphoneEvent] {
    if asked[.eq] != nil { asked[.eq] = true }
    let isKnown = eq == preset && (told == nil || told == bands)
    let isEcho = echoes.remove(.eq) != nil && isKnown
    self.told.insert(.eq)
    eq = preset
    bands = told ?? bands
    return isEcho ? [] : [.eqChanged(preset, bands: told)]
  }

  private mutating func heard(_ told: [Part: Battery]) -> [HeadphoneEvent] {
    // A part whose level was never known is perhaps none of this headphone's.
    let own = told.filter { $0.value.level != nil || batteries[$0.key] != nil }
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
    let told = HeadphoneEvent.wearingChanged(Wearing(left: left, right: right))
    guard !ringing.isDisjoint(with: worn) else { return [told] }
    return [told] + accepted(ringing: ringing.subtracting(worn))
  }
}
