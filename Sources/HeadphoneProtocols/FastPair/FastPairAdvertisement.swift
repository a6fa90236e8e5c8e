public import BluetoothCodec

/// Google's Fast Pair service data (FE2C), without the parts that need an account key.
///
/// Published layout: three bytes are the model of a headphone that can be paired. Otherwise a byte
/// of flags is followed by fields:
///
/// | bits of the first octet | field |
/// | --- | --- |
/// | 4 to 7 | length *n* |
/// | 0 to 3 | type: 0 and 2 are the filter of account keys, 3 and 4 the battery, shown or hidden |
///
/// The *n* octets of a battery field are the levels of left, right and case.
public struct FastPairAdvertisement: Hashable, Sendable {
  /// The model, 24 bits, or nil if the headphone is not ready to be paired.
  public var model: UInt32?
  /// The parts whose level is known.
  public var batteries: [Part: Battery] = [:]
  /// Whether an account has stored its key, or nil without a filter; an empty filter means none.
  public var hasAccountKey: Bool?

  private static let accountKeysShown: UInt8 = 0b0000
  private static let accountKeysHidden: UInt8 = 0b0010

  private static let batteryShown: UInt8 = 0b0011
  private static let batteryHidden: UInt8 = 0b0100

  /// Decodes the service data in an advertisement, or fails if it is missing or malformed.
  public init?(_ data: AdvertisingData) {
    guard let bytes = data.serviceData(for: .fastPair), let decoded = try? Self(decoding: bytes)
    else { return nil }
    self = decoded
  }

  /// Decodes service data, and skips unknown fields.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Fast Pair service data")
    if bytes.count == 3 {
      model = reader.rest().reduce(0) { $0 << 8 | UInt32($1) }
      return
    }
    _ = try reader.uint8()
    while !reader.isAtEnd {
      let head = try reader.uint8()
      let field = try reader.read(Int(head >> 4))
      switch head & 0xF {
      case Self.accountKeysShown, Self.accountKeysHidden: hasAccountKey = !field.isEmpty
      case Self.batteryShown, Self.batteryHidden:
        for (part, byte) in zip(Part.allCases, field) {
          let battery = Battery(fastPair: byte)
          if battery.level != nil { batteries[part] = battery }
        }
      default: continue
      }
    }
  }
}
