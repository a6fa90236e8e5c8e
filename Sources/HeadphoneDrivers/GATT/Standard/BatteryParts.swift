internal import BluetoothCodec
internal import HeadphoneProtocols

/// Tells Battery services apart by their Characteristic Presentation Format (2904).
enum BatteryParts {
  /// Which part each Battery service stands for.
  ///
  /// By the description in the Bluetooth SIG's namespace: left, right, any other is the case. What
  /// has no such descriptor is, in order, the first part that is not taken yet.
  ///
  /// - Parameter formats: the descriptor's value of each service, nil where it has none.
  /// - Returns: a part for each service; nil for what is beyond the third.
  static func parts(_ formats: [Bytes?]) -> [Part?] {
    var parts: [Part?] = formats.map { $0.flatMap(part) }
    var free = Part.allCases.filter { !parts.contains($0) }
    for index in parts.indices where parts[index] == nil && !free.isEmpty {
      parts[index] = free.removeFirst()
    }
    var seen: Set<Part> = []
    return parts.map { part in part.flatMap { seen.insert($0).inserted ? $0 : nil } }
  }

  /// What one battery is by its description; nil: it has none of the Bluetooth SIG's.
  ///
  /// Format, exponent, unit (2), namespace, description (2); Core 5.4, Vol 3, Part G, 3.3.3.5.
  static func part(_ format: Bytes) -> Part? {
    var reader = ByteReader(format, of: "presentation format")
    guard (try? reader.read(4)) != nil, (try? reader.uint8()) == bluetoothSIG,
      let description = try? reader.uint16()
    else { return nil }
    return switch description {
    case 0x010D: .left
    case 0x010E: .right
    default: .case
    }
  }

  private static let bluetoothSIG: UInt8 = 0x01
}

/// The charges that Battery services report, by part.
struct BatteryCharges: Hashable, Sendable {
  private(set) var charges: [Part: Battery] = [:]

  /// Keeps the charge that a part had before, where this reading of it failed.
  mutating func keep(_ part: Part, from before: BatteryCharges) {
    charges[part] = before.charges[part]
  }

  /// Keeps whether a part was charging before, where only notifications tell.
  mutating func keepCharging(of part: Part, from before: BatteryCharges) {
    guard let isCharging = before.charges[part]?.isCharging else { return }
    charges[part] = Battery(level: charges[part]?.level, isCharging: isCharging)
  }

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
