public import BluetoothCodec

/// Contents of Google's Fast Pair service data (FE2C) that need no account key.
///
/// Published layout: three bytes are the model of a headphone that can be paired; else a byte of
/// flags, then fields of a length (high nibble), a type (low nibble) and as many bytes.
public struct FastPairAdvertisement: Hashable, Sendable {
  /// 24 bits; nil: the headphone is not ready to be paired.
  public var model: UInt32?
  /// Parts whose level is known.
  public var batteries: [Part: Battery] = [:]

  private static let batteryShown: UInt8 = 0b0011
  private static let batteryHidden: UInt8 = 0b0100

  /// Finds and decodes it among what was advertised; nil if it is not there or makes no sense.
  public init?(_ data: AdvertisingData) {
    guard let bytes = data.serviceData(for: .fastPair), let decoded = try? Self(decoding: bytes)
    else { return nil }
    self = decoded
  }

  /// Reads service data; fields that are not known are skipped.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Fast Pair service data")
    if bytes.count == 3 {
      model = reader.rest().reduce(0) { $0 << 8 | UInt32($1) }
      return
    }
    _ = try reader.uint8()
    while !reader.isAtEnd {
      let head = try reader.uint8()
      let field = try reader.take(Int(head >> 4))
      guard head & 0xF == Self.batteryShown || head & 0xF == Self.batteryHidden else { continue }
      for (part, byte) in zip(Part.allCases, field) {
        let battery = Battery(fastPair: byte)
        if battery.level != nil { batteries[part] = battery }
      }
    }
  }
}
