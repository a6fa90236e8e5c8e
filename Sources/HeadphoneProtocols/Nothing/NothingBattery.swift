public import BluetoothCodec

/// What command 4007 or E001 tells: a count and two bytes for each part; headphones with one
/// battery tell a count of 0 and the level in the third byte.
public struct NothingBattery: Hashable, Sendable {
  /// One battery, or one of each part.
  public enum Content: Hashable, Sendable {
    /// Of a headband, or of a headphone that tells one level for all.
    case single(Battery)
    /// A part that is not there now is missing.
    case parts([Part: Battery])
  }

  /// A level is told in 7 bits, with bit 7 for charging.
  public var content: Content

  public init(_ content: Content) { self.content = content }

  private static let chargingBit: UInt8 = 0x80
  /// The part that a headphone with one battery has.
  private static let whole: UInt8 = 0x06
  private static let numbers: [(Part, UInt8)] = [(.left, 0x02), (.right, 0x03), (.case, 0x04)]

  /// Reads a frame's payload; a part that is not known is left out.
  ///
  /// - Throws: for a level above 100.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Nothing battery")
    let count = try reader.uint8()
    guard count > 0 else {
      _ = try reader.uint8()
      content = .single(try Self.battery(&reader))
      return
    }
    var parts: [Part: Battery] = [:]
    for _ in 0..<count {
      let number = try reader.uint8()
      let battery = try Self.battery(&reader)
      if number == Self.whole, count == 1 {
        content = .single(battery)
        return
      }
      // Another part than these has no place on the screen.
      if let part = Self.numbers.first(where: { $0.1 == number })?.0 { parts[part] = battery }
    }
    content = .parts(parts)
  }

  /// A frame's payload.
  public func encoded() -> [UInt8] {
    switch content {
    case .single(let battery): return [0, 0, Self.byte(battery)]
    case .parts(let parts):
      let reported = Self.numbers.reversed().compactMap { part, number in
        parts[part].map { [number, Self.byte($0)] }
      }
      return [UInt8(reported.count)] + reported.joined()
    }
  }

  private static func battery(_ reader: inout ByteReader) throws(MalformedBytes) -> Battery {
    let raw = try reader.uint8()
    let level = raw & ~chargingBit
    guard level <= 100 else { throw reader.impossible(raw) }
    return Battery(level: level, isCharging: raw & chargingBit != 0)
  }

  private static func byte(_ battery: Battery) -> UInt8 {
    (battery.level ?? 0) | (battery.isCharging == true ? chargingBit : 0)
  }
}
