internal import BluetoothCodec

/// The unit of a reported battery level.
enum BatteryScale: Hashable, Sendable {
  /// 0 to 100.
  case percent
  /// Steps up to the first number; `plus` is added to what is reported.
  case steps(UInt8, plus: UInt8 = 0)

  /// The level that a byte stands for; nil: it is beyond the scale.
  func battery(_ raw: UInt8, isCharging: Bool?) -> Battery? {
    switch self {
    case .percent: raw <= 100 ? Battery(level: raw, isCharging: isCharging) : nil
    case .steps(let most, let plus):
      raw <= most - plus ? Battery(step: raw + plus, of: most, isCharging: isCharging) : nil
    }
  }
}

/// The battery levels of one message: a part beyond its scale is left out, and no other with it.
struct BatteryLevels: Hashable, Sendable {
  private(set) var parts: [Part: Battery] = [:]
  /// The last level that was beyond its scale; nil: none was.
  private(set) var mistake: MalformedBytes?
  private let what: String

  /// - Parameter what: names the message in an error: "Sony battery".
  init(_ what: String) { self.what = what }

  /// Adds the level of a part.
  ///
  /// - Parameter raw: as it was reported, without bits of another meaning.
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

  /// Adds the level of a part whose bit 7 says that it charges.
  mutating func add(_ part: Part, withChargingBit raw: UInt8, at offset: Int = 0) {
    add(part, raw & 0x7F, isCharging: raw & 0x80 != 0, at: offset)
  }
}
