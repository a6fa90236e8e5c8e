public import HeadphoneProtocols

/// The charges of a headphone's parts at one time.
public struct ChargeSample: Hashable, Sendable {
  /// The charge of one part.
  public struct Charge: Hashable, Sendable {
    /// %, 0 to 100.
    public var level: UInt8
    /// Whether it charges; false also where the headphone does not report it.
    public var isCharging: Bool

    public init(level: UInt8, isCharging: Bool) {
      self.level = level
      self.isCharging = isCharging
    }
  }

  /// Whole minutes since 1970-01-01 00:00 UTC.
  public var minute: Int64
  /// Whether the headphone was out of sight before, so that nothing is known of that time.
  public var isFirst: Bool
  /// Whether it was out of sight for more than some minutes since the last sample.
  public var isResumed = false
  /// Whether levels are reported in steps instead of percent.
  public var isCoarse = false
  /// The noise mode; nil: unknown.
  public var mode: ANCMode?
  // Fields instead of a dictionary: there are hundreds of samples.
  private var left, right, `case`: Charge?

  /// A sample without a charge yet.
  public init(minute: Int64, isFirst: Bool = false) {
    self.minute = minute
    self.isFirst = isFirst
  }

  /// The charges that a headphone has reported.
  init(_ battery: [Part: Battery], mode: ANCMode? = nil, at timestamp: Timestamp) {
    self.init(minute: timestamp.minute)
    self.mode = mode
    isCoarse = battery.values.contains { $0.steps != nil }
    for (part, battery) in battery {
      self[part] = battery.level.map {
        Charge(level: $0, isCharging: battery.isCharging == true)
      }
    }
  }

  /// The charge of a part; nil: unknown.
  public subscript(part: Part) -> Charge? {
    get {
      switch part {
      case .left: left
      case .right: right
      case .case: `case`
      }
    }
    set {
      switch part {
      case .left: left = newValue
      case .right: right = newValue
      case .case: `case` = newValue
      }
    }
  }

  /// The parts whose charge is known.
  var parts: [Part] { Part.allCases.filter { self[$0] != nil } }
}

extension Timestamp {
  /// Whole minutes since 1970-01-01 00:00 UTC.
  var minute: Int64 { milliseconds / 60_000 }
}
