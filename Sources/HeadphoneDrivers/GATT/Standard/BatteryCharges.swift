internal import BluetoothCodec
internal import HeadphoneProtocols

/// The charges that Battery services report, by part.
struct BatteryCharges: Hashable, Sendable {
  private(set) var charges: [Part: Battery] = [:]

  /// Takes a Battery Level: %, 0 to 100.
  mutating func take(level value: Bytes, of part: Part) throws(MalformedBytes) {
    guard let level = value.first, level <= 100 else {
      throw MalformedBytes("battery level", at: 0, .badValue(UInt64(value.first ?? 0)))
    }
    charges[part] = Battery(level: level, isCharging: charges[part]?.isCharging)
  }

  /// Takes a Battery Level Status.
  mutating func take(status value: Bytes, of part: Part) throws(MalformedBytes) {
    let status = try BatteryLevelStatus(decoding: value)
    charges[part] = Battery(
      level: status.level ?? charges[part]?.level, isCharging: status.isCharging)
  }
}
