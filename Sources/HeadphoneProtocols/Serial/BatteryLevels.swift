internal import BluetoothCodec

enum BatteryScale: Hashable, Sendable {
  case percent
  /// Steps from 0 to the given maximum; `plus` is added to a reported step.
  case steps(UInt8, plus: UInt8 = 0)

  /// Returns the battery for a reported level, or nil if the level is beyond the scale.
  func battery(_ raw: UInt8, isCharging: Bool?) -> Battery? {
    switch self {
    case .percent: raw <= 100 ? Battery(level: raw, isCharging: isCharging) : nil
    case .steps(let most, let plus):
      raw <= most - plus ? Battery(step: raw + plus, of: most, isCharging: isCharging) : nil
    }
  }
}

/// The battery levels of one message, without levels beyond the scale.
struct BatteryLevels: Hashable, Sendable {
  private(set) var parts: [Part: Battery] = [:]
  private(set) var mistake: MalformedBytes?
  private let what: String

  /// Creates an empty set; `what` names the message in errors, such as "Sony battery".
  init(_ what: String) { self.what = what }

  /// Adds the level of a part; `raw` excludes bits of another meaning.
  mutating func add(
    _ part: Part, _ raw: UInt8, isCharging: Bool? = nil, scale: BatteryScale = .percent,
    at offset: Int = 0
  ) {
    guard let battery = scale.battery(raw, isCharging: isCharging) else {
      mistake = MalformedBytes(what, at: offset, .badValue(UInt64(raw)))
      return
    }
    parts[part] = battery
  }

  mutating func add(_ part: Part, withChargingBit raw: UInt8, at offset: Int = 0) {
    add(part, raw & 0x7F, isCharging: raw & 0x80 != 0, at: offset)
  }
}
