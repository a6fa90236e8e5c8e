public import BluetoothCodec

/// What a headphone adds to its advertisement: the address of its audio side and its batteries
/// (docs/protocol.md section 2).
public struct HeadphoneAdvertisement: Hashable, Sendable {
  /// The company identifier of the manufacturer data: the one for tests.
  public static let company: UInt16 = 0xFFFF
  private static let kind: UInt8 = 0x01
  private static let chargingBit: UInt8 = 0x80

  /// The public (BR/EDR) address by which the sound server knows the headphone.
  public var audioAddress: BluetoothAddress
  /// As at the time of the advertisement; the rest of the levels is read over the link.
  public var battery: BatteryReport

  public init(audioAddress: BluetoothAddress, battery: BatteryReport) {
    self.audioAddress = audioAddress
    self.battery = battery
  }

  /// Finds and decodes it among what was advertised; nil if it is not there or makes no sense.
  public init?(_ data: AdvertisingData) {
    guard let bytes = data.manufacturerData(for: Self.company),
      let decoded = try? Self(decoding: bytes)
    else { return nil }
    self = decoded
  }

  /// Decodes manufacturer data without its company.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "headphone advertisement")
    _ = try reader.uint8(in: Self.kind...Self.kind)
    audioAddress = try reader.address()
    var charging: Set<Part> = []
    let left = try Self.level(of: .left, from: &reader, &charging)
    let right = try Self.level(of: .right, from: &reader, &charging)
    let `case` = try Self.level(of: .case, from: &reader, &charging)
    battery = BatteryReport(left: left, right: right, case: `case`, charging: charging)
  }

  /// Manufacturer data without its company.
  public func encoded() -> [UInt8] {
    var bytes = [Self.kind]
    bytes.append(audioAddress)
    let levels = [(Part.left, battery.left), (.right, battery.right), (.case, battery.case)]
    return bytes
      + levels.map { part, level in
        guard let level else { return BatteryReport.unknown }
        return battery.charging?.contains(part) == true ? level | Self.chargingBit : level
      }
  }

  /// A level in %, bit 7 for charging; 0xFF is unknown.
  private static func level(
    of part: Part, from reader: inout ByteReader, _ charging: inout Set<Part>
  ) throws(MalformedBytes) -> UInt8? {
    let raw = try reader.uint8()
    if raw == BatteryReport.unknown { return nil }
    let level = raw & ~chargingBit
    guard level <= 100 else { throw reader.impossible(raw) }
    if raw != level { charging.insert(part) }
    return level
  }
}
