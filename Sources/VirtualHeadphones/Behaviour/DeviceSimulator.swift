internal import BluetoothCodec
public import HeadphoneProtocols

/// The physical state of a headphone as a value: positions of its buds, battery levels, settings.
///
/// It receives actions and the current time, and returns the headphone's events. Times are
/// durations since any fixed origin.
///
/// ```swift
/// var device = DeviceSimulator(.aurora)
/// let events = device.happen(.takeOut(.left), at: .seconds(3))
/// ```
public struct DeviceSimulator: Sendable {
  let model: VirtualModel

  /// The reported name, which a command may change.
  public internal(set) var name: String
  /// The position of each bud; initially both are worn.
  public internal(set) var places: [Side: BudPosition] = [.left: .ear, .right: .ear]
  /// Whether the lid of the case is open.
  public internal(set) var isLidOpen = false
  /// Whether the case is being charged, and with it the buds inside.
  public internal(set) var isCasePlugged = false
  public internal(set) var anc: ANCMode
  /// The level of noise cancelling, 0 to 10.
  public internal(set) var ancLevel: UInt8 = 5
  public internal(set) var eq: EQPreset
  /// The gains of the custom equaliser, in ascending frequency.
  public internal(set) var gains: [BandGain]
  public internal(set) var ringing: Sides = []
  /// Whether wear detection is on.
  public internal(set) var hasWearDetection = true
  public internal(set) var touchActions: TouchActionTable
  private var batteries: [Part: BatterySimulator]
  private var reported: BatteryReport?

  /// Creates a headphone that is worn, with the model's battery levels and default settings.
  public init(_ model: VirtualModel) {
    self.model = model
    name = model.name
    anc = model.ancModes.contains(.noiseCancelling) ? .noiseCancelling : .off
    eq = .balanced
    gains = Self.flat(model)
    touchActions = Self.defaultTouchActions
    batteries = [:]
    for part in model.batteries {
      batteries[part] = BatterySimulator(level: model.levels[part] ?? 100)
    }
    setRates(at: .zero)
  }

  static func flat(_ model: VirtualModel) -> [BandGain] {
    (0..<model.bands).compactMap { _ in BandGain(halfDecibels: 0) }
  }

  static let defaultTouchActions = TouchActionTable([
    .left: [.tap: .playPause, .doubleTap: .previous, .tripleTap: .volumeDown, .hold: .cycleANC],
    .right: [.tap: .playPause, .doubleTap: .next, .tripleTap: .volumeUp, .hold: .cycleANC],
  ])

  var wearing: WireEvent {
    .wearing(left: places[.left] == .ear, right: places[.right] == .ear)
  }

  var equaliser: WireEvent { .eq(eq, bands: eq == .custom && !gains.isEmpty ? gains : nil) }

  /// Returns the battery levels at a time.
  public func battery(at now: Duration) -> BatteryReport {
    let charging = batteries.filter { $0.value.isCharging && $0.value.percent(at: now) < 100 }
    return BatteryReport(
      left: batteries[.left]?.percent(at: now), right: batteries[.right]?.percent(at: now),
      case: batteries[.case]?.percent(at: now), charging: Set(charging.keys))
  }

  /// Returns the whole state as events, in the order of command 0x03 (docs/protocol.md section 6).
  func events(at now: Duration) -> [WireEvent] {
    var events = [wearing, .battery(battery(at: now))]
    if model.features.contains(.anc) { events.append(.anc(anc)) }
    if model.features.contains(.eq) { events.append(equaliser) }
    if model.features.contains(.case) { events.append(.caseLid(isOpen: isLidOpen)) }
    return events
  }

  /// Returns the time of the next events of ``advance(to:)``, or nil if nothing will change.
  public func nextChange(after now: Duration) -> Duration? {
    batteries.values.compactMap { $0.nextChange(after: now) }.min()
  }

  /// Advances the time, and returns the events that are due.
  public mutating func advance(to now: Duration) -> [WireEvent] {
    setRates(at: now)
    let report = battery(at: now)
    guard report != reported else { return [] }
    reported = report
    return [.battery(report)]
  }

  /// Applies an action, and returns its events.
  public mutating func happen(_ event: SimulationEvent, at now: Duration) -> [WireEvent] {
    switch event {
    case .putInEar(let side): return move(side, to: .ear, at: now)
    case .takeOut(let side): return move(side, to: .table, at: now)
    case .putIntoCase(let side): return move(side, to: .case, at: now)
    case .openLid: return setLid(isOpen: true, at: now)
    case .closeLid: return setLid(isOpen: false, at: now)
    case .plugIn, .unplug:
      isCasePlugged = event == .plugIn
      return advance(to: now)
    case .touch(let side, let gesture): return touch(side, gesture)
    case .press(let mode): return set(mode)
    case .setLevel(let part, let level):
      batteries[part]?.setLevel(level, at: now)
      return advance(to: now)
    }
  }

  mutating func set(_ mode: ANCMode) -> [WireEvent] {
    guard model.features.contains(.anc), model.ancModes.contains(mode) else { return [] }
    anc = mode
    return [.anc(mode)]
  }

  mutating func set(_ preset: EQPreset) -> [WireEvent] {
    guard model.features.contains(.eq), model.eqPresets.contains(preset) else { return [] }
    eq = preset
    return [equaliser]
  }

  private mutating func move(_ side: Side, to place: BudPosition, at now: Duration) -> [WireEvent] {
    guard place != .case || model.features.contains(.case) else { return [] }
    let before = wearing
    places[side] = place
    // A bud in an ear must not ring.
    if place == .ear { ringing.remove(Sides(side)) }
    return (wearing == before ? [] : [wearing]) + advance(to: now)
  }

  private mutating func setLid(isOpen: Bool, at now: Duration) -> [WireEvent] {
    guard model.features.contains(.case), isLidOpen != isOpen else { return [] }
    isLidOpen = isOpen
    return [.caseLid(isOpen: isOpen)] + advance(to: now)
  }

  /// Handles a gesture on a worn bud; one that cycles noise control changes the mode, too.
  private mutating func touch(_ side: Side, _ gesture: TouchGesture) -> [WireEvent] {
    guard model.features.contains(.touchActions), places[side] == .ear else { return [] }
    let used = WireEvent.touch(side, gesture)
    guard touchActions.actions[side]?[gesture] == .cycleANC else { return [used] }
    let index = model.ancModes.firstIndex(of: anc).map { $0 + 1 } ?? 0
    guard !model.ancModes.isEmpty else { return [used] }
    return [used] + set(model.ancModes[index % model.ancModes.count])
  }

  /// The rates of battery levels in % per hour.
  private enum Rate {
    static let playing = -14.0
    static let noiseControl = -4.0
    static let idle = -3.0
    static let budInCase = 100.0
    /// The rate of the case per charging bud; a full case charges a bud about five times.
    static let caseGiving = -20.0
    static let casePlugged = 45.0
  }

  /// Sets the rate of each battery by its part's use; without discharging, only whether it charges.
  private mutating func setRates(at now: Duration) {
    let isHeld = !model.drains
    let caseIsEmpty = batteries[.case].map { $0.percent(at: now) == 0 } ?? false
    var caseRate = isCasePlugged ? Rate.casePlugged : 0
    for side in Side.allCases {
      let part = side.part
      guard var battery = batteries[part] else { continue }
      let isInCase = places[side] == .case
      let charges = isInCase && (!caseIsEmpty || isCasePlugged)
      if charges, battery.percent(at: now) < 100, !isCasePlugged { caseRate += Rate.caseGiving }
      battery.setRate(
        charges ? Rate.budInCase : isInCase ? 0 : drain(of: side), at: now, isHeld: isHeld)
      batteries[part] = battery
    }
    batteries[.case]?.setRate(caseRate, at: now, isHeld: isHeld)
  }

  private func drain(of side: Side) -> Double {
    guard places[side] == .ear else { return Rate.idle }
    return Rate.playing + (anc == .off ? 0 : Rate.noiseControl)
  }
}

extension Side {
  var part: Part { self == .left ? .left : .right }
}

extension Sides {
  init(_ side: Side) { self = side == .left ? .left : .right }
}

/// An action of a wearer; one that the model does not support changes nothing.
public enum SimulationEvent: Hashable, Sendable {
  case putInEar(Side)
  /// The bud is taken out of the ear or case, and is neither worn nor charged.
  case takeOut(Side)
  case putIntoCase(Side)
  case openLid
  case closeLid
  case plugIn
  case unplug
  case touch(Side, TouchGesture)
  case press(ANCMode)
  /// Sets a battery to a level in %, 0 to 100, at once.
  case setLevel(Part, UInt8)
}

/// The place of a bud.
public enum BudPosition: Hashable, Sendable {
  case ear, table, `case`
}
