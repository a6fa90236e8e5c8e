public import BluetoothCodec

/// The battery levels in the answer to command C007 and in the unprompted report E001.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | count | number of parts that follow, or 0 for one battery with its level at offset 2 |
/// | 1 | 1 | part | 1 both buds, 2 left, 3 right, 4 case, 6 the whole headphone |
/// | 2 | 1 | level | bits 0 to 6: %, bit 7: charging |
///
/// Part and level repeat for each part. Recordings of Headphone Pro and earbuds confirm the layout,
/// and another project's tests confirm it for Headphone (1).
///
/// ```swift
/// // Case 50 % charging, left 60 %, right 58 %.
/// try NothingBattery(decoding: [0x03, 0x04, 0xB2, 0x02, 0x3C, 0x03, 0x3A])
/// ```
public struct NothingBattery: Hashable, Sendable {
  /// One battery, or one of each part.
  public enum Content: Hashable, Sendable {
    /// The battery of a headband, or of a headphone that reports one level for all parts.
    case single(Battery)
    /// The level of each part; a part that the headphone cannot currently reach is absent.
    case parts([Part: Battery])
  }

  public var content: Content
  /// The last level above 100 %, which ``content`` excludes, or nil if there was none.
  public private(set) var mistake: MalformedBytes?

  public init(_ content: Content) { self.content = content }

  private static let chargingBit: UInt8 = 0x80
  private static let numbers: [(Part, NothingPart)] = [
    (.left, .left), (.right, .right), (.case, .case),
  ]

  /// Decodes a payload without unknown parts and levels above 100 %; a single such level throws.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Nothing battery")
    let count = try reader.uint8()
    guard count > 0 else {
      _ = try reader.uint8()
      content = .single(try Self.battery(&reader))
      return
    }
    var levels = BatteryLevels("Nothing battery")
    for _ in 0..<count {
      let number = NothingPart(rawValue: try reader.uint8())
      if number == .whole, count == 1 {
        content = .single(try Self.battery(&reader))
        return
      }
      let raw = try reader.uint8()
      let parts: [Part] =
        number == .both ? [.left, .right] : Self.numbers.filter { $0.1 == number }.map(\.0)
      // Parts with any other number are ignored.
      for part in parts { levels.add(part, withChargingBit: raw, at: reader.offset - 1) }
    }
    (content, mistake) = (.parts(levels.parts), levels.mistake)
  }

  private static func battery(_ reader: inout ByteReader) throws(MalformedBytes) -> Battery {
    let raw = try reader.uint8()
    let level = raw & ~chargingBit
    guard level <= 100 else { throw reader.impossible(raw) }
    return Battery(level: level, isCharging: raw & chargingBit != 0)
  }
}
