internal import BluetoothCodec

extension BatteryLevels {
  /// Creates the levels from one byte of percent, or from groups of 4 bytes.
  ///
  /// | offset | size | field | meaning |
  /// | --- | --- | --- | --- |
  /// | 0 | 1 | level | %, 0 to 100; FF: absent |
  /// | 1 | 2 | time | minutes, FFFF: unknown; not read |
  /// | 3 | 1 | component | 0 whole, 1 left, 2 right, 3 case; others are skipped |
  init(bose payload: Bytes) throws(MalformedBytes) {
    self.init("Bose battery")
    var reader = ByteReader(payload, of: "Bose battery")
    if payload.count == 1 {
      add(.left, try reader.uint8())
      return
    }
    guard payload.count % 4 == 0 else { throw reader.malformed(.badLength(payload.count)) }
    while !reader.isAtEnd {
      let level = try reader.uint8()
      _ = try reader.read(2)
      let component = try reader.uint8()
      let parts: [UInt8: Part] = [0: .left, 1: .left, 2: .right, 3: .case]
      guard let part = parts[component], level != 0xFF else { continue }
      add(part, level, at: reader.offset - 4)
    }
  }
}
