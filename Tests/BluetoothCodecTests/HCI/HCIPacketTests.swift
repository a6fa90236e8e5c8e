import BluetoothCodec
import Testing

extension HCIPacket: WireFormat {
  static let samples: [Sample<HCIPacket>] = [
    Sample("01 030C 00", .command(.reset)),
    Sample(
      "01 0C20 02 01 00", .command(.leSetScanEnable(true, filterDuplicates: false))),
    Sample(
      "02 4020 0700 0300 0400 0A 0300",
      .acl(ACLPacket(connection: 0x40, boundary: 2, data: hex("0300 0400 0A 0300")))),
    Sample(
      "02 FF5F 0000", .acl(ACLPacket(connection: 0xFFF, boundary: 1, broadcast: 1, data: []))),
    Sample("03 0130 02 0102", .audio(.sco, hex("0130 02 0102"))),
    Sample(
      "04 05 04 00 4000 13",
      .event(.disconnectionComplete(.success, connection: 0x40, reason: .remoteUserTerminated))),
    Sample(
      "04 3E 11 02 01 00 01 F5F4F3F2F1F0 05 0409456172 C4",
      .event(
        .le(
          .advertisingReports([
            AdvertisingReport(
              [.connectable, .scannable], addressType: .random,
              address: BluetoothAddress(value: 0xF0F1_F2F3_F4F5), rssi: -60,
              data: hex("0409456172"))
          ])))),
    Sample("05 6060 0300 010203", .audio(.iso, hex("6060 0300 010203"))),
  ]
}

@Suite struct HCIPacketTests {
  @Test(arguments: HCIPacket.samples)
  func `packets read both ways`(_ sample: Sample<HCIPacket>) throws { try sample.expectToHold() }

  @Test(arguments: [
    ("", 0, MalformedBytes.Reason.truncated(needed: 1, available: 0)),
    ("00 030C 00", 0, .unknownType(0)),
    ("06 00", 0, .unknownType(6)),
    ("01 030C 01", 4, .truncated(needed: 1, available: 0)),
    ("02 4020 0700 03", 5, .truncated(needed: 7, available: 1)),
    ("04 05 04 00 4000 13 00", 7, .trailing(count: 1)),
  ])
  func `a bad packet is named with its place`(
    _ digits: String, _ offset: Int, _ reason: MalformedBytes.Reason
  ) {
    let error = HCIPacket.rejection(of: digits)
    #expect(error?.offset == offset)
    #expect(error?.reason == reason)
  }

  @Test func `data that their length cannot count are refused`() throws {
    let packet = HCIPacket.acl(
      ACLPacket(connection: 1, boundary: 0, data: Bytes(repeating: 0, count: 65_536)))
    let error = try #require(throws: MalformedBytes.self) { try packet.encoded() }
    #expect(error.reason == .tooLong(count: 65_536, limit: 65_535))
  }
}
