internal import BluetoothCodec
internal import HeadphoneProtocols

/// A mapping of Battery services to parts by their Characteristic Presentation Format (2904).
enum BatteryParts {
  /// Returns the part of each Battery service, or nil if no part is left for it.
  ///
  /// The description in the Bluetooth SIG's namespace determines the part: left, right, or, for any
  /// other description, the case. A service without such a description gets the first free part.
  ///
  /// - Parameter formats: the value of each service's descriptor, or nil without one.
  static func parts(_ formats: [Bytes?]) -> [Part?] {
    var parts: [Part?] = formats.map { $0.flatMap(part) }
    var free = Part.allCases.filter { !parts.contains($0) }
    for index in parts.indices where parts[index] == nil && !free.isEmpty {
      parts[index] = free.removeFirst()
    }
    var seen: Set<Part> = []
    return parts.map { part in part.flatMap { seen.insert($0).inserted ? $0 : nil } }
  }

  /// Returns the part in a presentation format, or nil without a description of the Bluetooth SIG.
  ///
  /// The format has format, exponent, unit (2 bytes), namespace and description (2 bytes); Core
  /// 5.4, Vol 3, Part G, 3.3.3.5.
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

struct BatteryCharges: Hashable, Sendable {
  private(set) var charges: [Part: Battery] = [:]

  /// Keeps the charge that a part had before, where this reading of it failed.
  mutating func keep(_ part: Part, from before: BatteryCharges) {
    charges[part] = before.charges[part]
  }

  /// Keeps the previous charging state of a part, if only notifications report it.
  mutating func keepCharging(of part: Part, from before: BatteryCharges) {
    guard let isCharging = before.charges[part]?.isCharging else { return }
    charges[part] = Battery(level: charges[part]?.level, isCharging: isCharging)
  }

  /// Applies a Battery Level in %, 0 to 100.
  mutating func parse(level value: Bytes, of part: Part) throws(MalformedBytes) {
    guard let level = value.first, level <= 100 else {
      throw MalformedBytes("battery level", at: 0, .badValue(UInt64(value.first ?? 0)))
    }
    charges[part] = Battery(level: level, isCharging: charges[part]?.isCharging)
  }

  mutating func parse(status value: Bytes, of part: Part) throws(MalformedBytes) {
    let status = try BatteryLevelStatus(decoding: value)
    charges[part] = Battery(
      level: status.level ?? charges[part]?.level, isCharging: status.isCharging)
  }
}
