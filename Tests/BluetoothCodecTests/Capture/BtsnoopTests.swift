import BluetoothCodec
import Testing

extension BtsnoopHeader: WireFormat {
  static let samples: [Sample<BtsnoopHeader>] = [
    Sample("6274736E6F6F7000 00000001 000003EA", BtsnoopHeader(.uart)),
    Sample("6274736E6F6F7000 00000001 000007D1", BtsnoopHeader(.monitor)),
  ]
}

extension BtsnoopRecord: WireFormat {
  /// 2000-01-01 00:00:00 UTC.
  private static let millennium = BtsnoopTime(microsecondsSince1970: 946_684_800_000_000)

  static let samples: [Sample<BtsnoopRecord>] = [
    Sample(
      "00000004 00000004 00000002 00000000 00E03AB44A676000 01030C00",
      BtsnoopRecord(uart: hex("01030C00"), isReceived: false, time: millennium)),
    Sample(
      "00000007 00000007 00000003 00000005 00E03AB44A676001 04050400400013",
      BtsnoopRecord(
        uart: hex("04050400400013"), isReceived: true, drops: 5,
        time: BtsnoopTime(microseconds: millennium.microseconds + 1))),
    Sample(
      "00000100 00000002 00000001 00000000 00DCDDB30F2F8000 0240",
      BtsnoopRecord(
        originalLength: 256, flags: 1, time: .unixEpoch, data: hex("0240"))),
    Sample(
      "00000003 00000003 00010002 00000000 00DCDDB30F2F8000 030C00",
      BtsnoopRecord(monitor: .command, controller: 1, packet: hex("030C00"), time: .unixEpoch)),
  ]
}

@Suite struct BtsnoopTests {
  @Test(arguments: BtsnoopHeader.samples)
  func `headers read both ways`(_ sample: Sample<BtsnoopHeader>) throws {
    try sample.expectToHold()
  }

  @Test(arguments: BtsnoopRecord.samples)
  func `records read both ways`(_ sample: Sample<BtsnoopRecord>) throws {
    try sample.expectToHold()
  }

  @Test func `time is that of other tools`() {
    #expect(
      BtsnoopTime(microsecondsSince1970: 946_684_800_000_000).microseconds
        == 0x00E0_3AB4_4A67_6000)
    #expect(BtsnoopTime.unixEpoch.microsecondsSince1970 == 0)
    #expect(BtsnoopTime(microsecondsSince1970: -1) < .unixEpoch)
    #expect(BtsnoopTime(microsecondsSince1970: .min).microsecondsSince1970 == .min)
  }

  @Test func `flags report direction and kind`() {
    let data = BtsnoopRecord(uart: hex("02 4020 0000"), isReceived: true, time: .unixEpoch)
    #expect(data.flags == 1)
    #expect(data.isReceived)
    let record = BtsnoopRecord(
      monitor: .aclReceived, controller: 0xFFFF, packet: [], time: .unixEpoch)
    #expect(record.monitorOpcode == .aclReceived)
    #expect(record.monitorController == 0xFFFF)
    #expect(record.monitorOpcode.packetType == .acl)
    #expect(MonitorOpcode.systemNote.packetType == nil)
  }

  @Test func `a file gives its records in order without copying them`() throws {
    let bytes = embedded(
      BtsnoopHeader.samples[0].bytes + BtsnoopRecord.samples.flatMap(\.bytes))
    var file = try BtsnoopFile(bytes)
    #expect(file.header.datalink == .uart)
    var records: [BtsnoopRecord] = []
    while let record = try file.next() { records.append(record) }
    #expect(records == BtsnoopRecord.samples.map(\.value))
    #expect(records.last?.data.endIndex == bytes.endIndex)
  }

  @Test func `a capture that was cut gives all before the cut`() throws {
    let whole = BtsnoopHeader.samples[0].bytes + BtsnoopRecord.samples.flatMap(\.bytes)
    var file = try BtsnoopFile(embedded(whole.dropLast()))
    for sample in BtsnoopRecord.samples.dropLast() { #expect(try file.next() == sample.value) }
    for _ in 0..<2 {
      let error = try #require(throws: MalformedBytes.self) { try file.next() }
      #expect(error.reason == .truncated(needed: 3, available: 2))
    }
  }

  @Test(arguments: [
    ("6274736E6F6F7001 00000001 000003EA", 7, MalformedBytes.Reason.badValue(1)),
    ("6274736E6F6F7000 00000002 000003EA", 8, .badValue(2)),
    ("6274736E6F6F7000 00000001 0003EA", 12, .truncated(needed: 4, available: 3)),
  ])
  func `a bad header is named with its place`(
    _ digits: String, _ offset: Int, _ reason: MalformedBytes.Reason
  ) {
    let error = BtsnoopHeader.rejection(of: digits)
    #expect(error?.offset == offset)
    #expect(error?.reason == reason)
  }

  @Test func `a record longer than its packet is refused`() {
    let error = BtsnoopRecord.rejection(
      of: "00000001 00000002 00000000 00000000 00DCDDB30F2F8000 0102")
    #expect(error == MalformedBytes("btsnoop record", at: 4, .badLength(2)))
  }

  @Test func `a record that claims four gigabytes is refused`() {
    let error = BtsnoopRecord.rejection(
      of: "FFFFFFFF FFFFFFFF 00000000 00000000 00DCDDB30F2F8000 0102")
    #expect(error?.reason == .truncated(needed: 0xFFFF_FFFF, available: 2))
  }
}
