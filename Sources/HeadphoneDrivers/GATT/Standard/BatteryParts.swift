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
