public import BluetoothCodec

/// The manufacturer data of a headphone (docs/protocol.md section 2).
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | 01 |
/// | 1 | 6 | public (BR/EDR) address |
/// | 7 | 3 | levels of left, right and case: % in bits 0 to 6, charging in bit 7; 0xFF unknown |
public struct HeadphoneAdvertisement: Hashable, Sendable {
  /// The company identifier, 0xFFFF, which is reserved for tests.
  public static let company: UInt16 = 0xFFFF
  package static let kind: UInt8 = 0x01
  package static let chargingBit: UInt8 = 0x80

  /// The public (BR/EDR) address, by which the sound server identifies the headphone.
  public var audioAddress: BluetoothAddress
  public var battery: BatteryReport

  public init(audioAddress: BluetoothAddress, battery: BatteryReport) {
    self.audioAddress = audioAddress
    self.battery = battery
  }

  /// Decodes the data in an advertisement, or returns nil if it is missing or malformed.
  public init?(_ data: AdvertisingData) {
    guard let bytes = data.manufacturerData(for: Self.company),
      let decoded = try? Self(decoding: bytes)
    else { return nil }
    self = decoded
  }

  /// Decodes manufacturer data without the company identifier, or throws for a level above 100 %.
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
