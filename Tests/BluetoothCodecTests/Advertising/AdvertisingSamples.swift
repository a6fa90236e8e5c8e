import BluetoothCodec

extension AdvertisingData: WireFormat {
  private static let vendorUUID = BluetoothUUID(
    high: 0x1234_5678_1234_5678, low: 0x1234_5678_9ABC_DEF0)
  private static let bud = BluetoothAddress(value: 0xF0F1_F2F3_F4F5)

  /// One structure of each type, and what an earbud advertises.
  static let samples: [Sample<AdvertisingData>] =
    services + device + pairing + foreign + [
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
    one("0314 0F18", .solicitedServiceUUIDs([.bit16(0x180F)])),
    one("051F 78563412", .solicitedServiceUUIDs([.bit32(0x1234_5678)])),
    one("1115 F0DEBC9A785634127856341278563412", .solicitedServiceUUIDs([vendorUUID])),
    one("0416 0F18 64", .serviceData(.bit16(0x180F), hex("64"))),
    one("0620 78563412 01", .serviceData(.bit32(0x1234_5678), hex("01"))),
    one("1321 F0DEBC9A785634127856341278563412 0102", .serviceData(vendorUUID, hex("0102"))),
  ]

  private static let device: [Sample<AdvertisingData>] = [
    one("0201 06", .flags([.leGeneralDiscoverable, .brEdrNotSupported])),
    one("0408 456172", .localName(hex("456172"), isComplete: false)),
    one("0409 456172", .localName(hex("456172"), isComplete: true)),
    one("020A F4", .txPower(-12)),
    one("040D 180424", .classOfDevice(0x24_0418)),
    one("0512 0600 0C00", .connectionInterval(minimum: 6, maximum: 12)),
    one("0717 F5F4F3F2F1F0", .publicTargets([bud])),
    one("0D18 F5F4F3F2F1F0 010000000000", .randomTargets([bud, BluetoothAddress(value: 1)])),
    one("0319 4109", .appearance(0x0941)),
    one("031A A000", .advertisingInterval(160)),
    one("042F 000001", .advertisingInterval(0x01_0000)),
    one("052F 00000001", .advertisingInterval(0x0100_0000)),
    one("081B F5F4F3F2F1F0 01", .deviceAddress(PeerAddress(bud, .random))),
    one("021C 02", .role(.peripheralPreferred)),
    one("0827 FFFF000000000F", .supportedFeatures(hex("FFFF000000000F"))),
    one("05FF 4C00 1007", .manufacturerData(company: 0x004C, hex("1007"))),
  ]

  private static let key = "000102030405060708090A0B0C0D0E0F"

  private static let pairing: [Sample<AdvertisingData>] = [
    one("110E \(key)", .pairingHash192(hex(key))),
    one("110F \(key)", .pairingRandomizer192(hex(key))),
    one("0910 0200010203040506", .deviceID(hex("0200010203040506"))),
    one("1110 \(key)", .temporaryKey(hex(key))),
    one("0211 0B", .outOfBandFlags([.dataPresent, .leSupported, .randomAddress])),
    one("111D \(key)", .pairingHash256(hex(key))),
    one("111E \(key)", .pairingRandomizer256(hex(key))),
    one("1122 \(key)", .secureConnectionsConfirmation(hex(key))),
    one("1123 \(key)", .secureConnectionsRandom(hex(key))),
    one("072E 010203040506", .resolvableSetIdentifier(hex("010203040506"))),
    one(
      "0C31 0102030405 AABB 06070809",
      .encrypted(randomizer: hex("0102030405"), payload: hex("AABB"), mic: hex("06070809"))),
  ]

  private static let foreign: [Sample<AdvertisingData>] = [
    one("0324 172F", .uri(hex("172F"))),
    one("0325 0102", .indoorPositioning(hex("0102"))),
    one("0426 010200", .transportDiscovery(hex("010200"))),
    one("0828 FFFFFFFF1F 0600", .channelMapUpdate(map: 0x1F_FFFF_FFFF, instant: 6)),
    one("0229 01", .meshProvisioning(hex("01"))),
    one("022A 01", .meshMessage(hex("01"))),
    one("022B 01", .meshBeacon(hex("01"))),
    one("022C 01", .isochronousGroup(hex("01"))),
    one("052D 01020304", .broadcastCode(hex("01020304"))),
    one("0530 48616C6C", .broadcastName(hex("48616C6C"))),
    one("0232 01", .periodicResponseTiming(hex("01"))),
    one("0234 01", .electronicShelfLabel(hex("01"))),
    one("033D 0101", .threeDimensionalInformation(hex("0101"))),
    one("037E 0102", .other(type: 0x7E, hex("0102"))),
  ]

  private static func one(
    _ digits: String, _ structure: AdvertisingStructure
  ) -> Sample<AdvertisingData> {
    Sample(digits, AdvertisingData([structure]))
  }
}
