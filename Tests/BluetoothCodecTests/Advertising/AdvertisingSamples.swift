import BluetoothCodec

extension AdvertisingData: WireFormat {
  private static let vendorUUID = BluetoothUUID(
    high: 0x1234_5678_1234_5678, low: 0x1234_5678_9ABC_DEF0)

  /// One structure of each type, and the advertisement of an earbud.
  static let samples: [Sample<AdvertisingData>] =
    services + device + [
      Sample(
        """
        02 01 06  03 03 F0FF  0C 09 4561727368 6F74 204F6E65
        0D FF FFFF 01 F5F4F3F2F1F0 50 4B B2
        """,
        AdvertisingData([
          .flags([.leGeneralDiscoverable, .brEdrNotSupported]),
          .serviceUUIDs([.bit16(0xFFF0)], isComplete: true),
          .localName(embedded("Earshot One".utf8), isComplete: true),
          .manufacturerData(company: 0xFFFF, hex("01 F5F4F3F2F1F0 50 4B B2")),
        ]))
    ]

  private static let services: [Sample<AdvertisingData>] = [
    one("0302 0F18", .serviceUUIDs([.bit16(0x180F)], isComplete: false)),
    one("0503 0F18 0A18", .serviceUUIDs([.bit16(0x180F), .bit16(0x180A)], isComplete: true)),
    one("0504 78563412", .serviceUUIDs([.bit32(0x1234_5678)], isComplete: false)),
    one("0505 78563412", .serviceUUIDs([.bit32(0x1234_5678)], isComplete: true)),
    one("1106 F0DEBC9A785634127856341278563412", .serviceUUIDs([vendorUUID], isComplete: false)),
    one("1107 F0DEBC9A785634127856341278563412", .serviceUUIDs([vendorUUID], isComplete: true)),
    one("0416 0F18 64", .serviceData(.bit16(0x180F), hex("64"))),
    one("0620 78563412 01", .serviceData(.bit32(0x1234_5678), hex("01"))),
    one("1321 F0DEBC9A785634127856341278563412 0102", .serviceData(vendorUUID, hex("0102"))),
  ]

  private static let device: [Sample<AdvertisingData>] = [
    one("0201 06", .flags([.leGeneralDiscoverable, .brEdrNotSupported])),
    one("0408 456172", .localName(hex("456172"), isComplete: false)),
    one("0409 456172", .localName(hex("456172"), isComplete: true)),
    one("020A F4", .txPower(-12)),
    one("0319 4109", .appearance(0x0941)),
    one("072E 010203040506", .resolvableSetIdentifier(hex("010203040506"))),
    one("05FF 4C00 1007", .manufacturerData(company: 0x004C, hex("1007"))),
    one("0229 01", .other(type: 0x29, hex("01"))),
    one("037E 0102", .other(type: 0x7E, hex("0102"))),
  ]

  private static func one(
    _ digits: String, _ structure: AdvertisingStructure
  ) -> Sample<AdvertisingData> {
    Sample(digits, AdvertisingData([structure]))
  }
}
