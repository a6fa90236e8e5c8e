internal import BluetoothCodec
internal import HeadphoneProtocols

/// The charges that Battery services report, by part.
struct BatteryCharges: Hashable, Sendable {
  private(set) var charges: [Part: Battery] = [:]

  /// A Battery Level: %, 0 to 100.
  mutating func parse(level value: Bytes, of part: Part) throws(MalformedBytes) {
    guard let level = value.first, level <= 100 else {
      throw MalformedBytes("battery level", at: 0, .badValue(UInt64(value.first ?? 0)))
    }
    charges[part] = Battery(level: level, isCharging: charges[part]?.isCharging)
  }

  /// A Battery Level Status.
  mutating func parse(status value: Bytes, of part: Part) throws(MalformedBytes) {
    let status = try BatteryLevelStatus(decoding: value)
    charges[part] = Battery(
      level: status.level ?? charges[part]?.level, isCharging: status.isCharging)
  }
}
