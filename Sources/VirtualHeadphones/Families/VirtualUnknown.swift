public import BluetoothCodec

/// A simulated headphone of a made-up maker, for which the program has no driver.
///
/// Its frames are `A7 number length payload sum` from the phone and `A8 number length payload sum`
/// from the headphone.
///
/// | number | payload, and that of the answer | meaning |
/// | --- | --- | --- |
/// | 01 | -; text | model |
/// | 02 | -; three levels, bit 7 while charging | batteries |
/// | 03 | -; 0, 1 or 2 | noise control: off, cancelling, transparency |
/// | 13 | mode; 00 | sets noise control |
/// | 04 | -; 0 or 1 | game mode |
/// | 14 | 0 or 1; 00 | sets game mode |
public struct VirtualUnknown: VirtualLEHeadphone {
  /// The levels of left, right and case, with bit 7 for charging.
  public var levels: [UInt8]
  /// The mode of noise control: 0 off, 1 cancelling, 2 transparency.
  public var noise: UInt8 = 1
  /// Whether game mode is on: 0 or 1.
  public var gameMode: UInt8 = 0

  public init(levels: [UInt8]) { self.levels = levels }

  public let service = BluetoothUUID.bit16(0xA0E0)
  public let write = BluetoothUUID.bit16(0xA0E1)
  public let notify = BluetoothUUID.bit16(0xA0E2)
  public var advertised: [AdvertisingStructure] { [.serviceUUIDs([service], isComplete: false)] }

  private static let (phone, headphone): (UInt8, UInt8) = (0xA7, 0xA8)

  private static func sum(_ bytes: Bytes) -> UInt8 { bytes.reduce(0, &+) }

  public mutating func respond(to value: Bytes) -> [[UInt8]] {
    let bytes = Array(value)
    guard bytes.count >= 4, bytes[0] == Self.phone, bytes.count == 4 + Int(bytes[2]),
      bytes.last == Self.sum(bytes.dropLast()[...]),
      let payload = execute(bytes[1], bytes[3...].dropLast())
    else { return [] }
    let frame = [Self.headphone, bytes[1], UInt8(payload.count)] + payload
    return [frame + [Self.sum(frame[...])]]
  }

  private mutating func execute(_ number: UInt8, _ payload: Bytes) -> [UInt8]? {
    switch (number, payload.first) {
    case (0x01, nil): return Array("EX-1".utf8)
    case (0x02, nil): return levels
    case (0x03, nil): return [noise]
    case (0x04, nil): return [gameMode]
    case (0x13, let mode?) where mode < 3: noise = mode
    case (0x14, let value?) where value < 2: gameMode = value
    default: return nil
    }
    return [0]
  }
}
