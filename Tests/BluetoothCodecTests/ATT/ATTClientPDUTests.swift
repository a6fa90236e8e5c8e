import BluetoothCodec
import Testing

extension ATTClientPDU: WireFormat {
  static let samples: [Sample<ATTClientPDU>] = [
    Sample("02 05 02", .request(.exchangeMTU(clientMTU: 517))),
    Sample("04 0100 FFFF", .request(.findInformation(.all))),
    Sample(
      "06 0100 FFFF 0028 0F18",
      .request(.findByTypeValue(.all, type: 0x2800, value: hex("0F18")))),
    Sample(
      "06 0100 FFFF 0028",
      .request(.findByTypeValue(.all, type: 0x2800, value: []))),
    Sample("08 0100 FFFF 0328", .request(.readByType(.all, type: .bit16(0x2803)))),
    Sample(
      "08 1000 2000 F0DEBC9A785634127856341278563412",
      .request(
        .readByType(
          ATTHandleRange(start: 0x0010, end: 0x0020),
          type: BluetoothUUID(high: 0x1234_5678_1234_5678, low: 0x1234_5678_9ABC_DEF0)))),
    Sample("0A 0300", .request(.read(handle: 0x0003))),
    Sample("0C 0300 1600", .request(.readBlob(handle: 0x0003, offset: 22))),
    Sample("0E 0300 0500", .request(.readMultiple(handles: [3, 5]))),
    Sample("10 0100 FFFF 0028", .request(.readByGroupType(.all, type: .bit16(0x2800)))),
    Sample("12 0900 0100", .request(.write(handle: 0x0009, value: hex("0100")))),
    Sample("12 0900", .request(.write(handle: 0x0009, value: []))),
    Sample(
      "16 0700 1200 ABCDEF",
      .request(.prepareWrite(handle: 7, offset: 18, value: hex("ABCDEF")))),
    Sample("18 00", .request(.executeWrite(.cancel))),
    Sample("18 01", .request(.executeWrite(.commit))),
    Sample("20 0300 0500 0700", .request(.readMultipleVariable(handles: [3, 5, 7]))),
    Sample("52 0C00 A501", .command(.write(handle: 12, value: hex("A501")))),
    Sample(
      "D2 0C00 07 000102030405060708090A0B",
      .command(
        .signedWrite(handle: 12, value: hex("07"), signature: hex("000102030405060708090A0B")))),
    Sample("1E", .confirmation),
  ]
}

@Suite struct ATTClientPDUTests {
  @Test(arguments: ATTClientPDU.samples)
  func `pdus of a client read both ways`(_ sample: Sample<ATTClientPDU>) throws {
    try sample.expectToHold()
  }

  @Test func `values share the storage of the input`() throws {
    let bytes = hex("52 0C00 A501")
    guard case .command(.write(_, let value)) = try ATTClientPDU(decoding: bytes) else {
      Issue.record("not a Write Command")
      return
    }
    #expect(value.indices == bytes.indices.suffix(2))
  }

  @Test(arguments: [
    ("", 0, MalformedBytes.Reason.truncated(needed: 1, available: 0)),
    ("0B 00", 0, .unknownType(0x0B)),
    ("3A", 0, .unknownType(0x3A)),
    ("02 17", 1, .truncated(needed: 2, available: 1)),
    ("02 1700 00", 3, .trailing(count: 1)),
    ("08 0100 FFFF 03 28 00", 5, .badLength(3)),
    ("08 0100 FFFF 0F180000", 5, .badLength(4)),
    ("0E 0300", 1, .badLength(2)),
    ("20 0300 0500 07", 1, .badLength(5)),
    ("18 02", 1, .badValue(2)),
    ("D2 0C00 00010203", 3, .badLength(-8)),
    ("1E 00", 1, .trailing(count: 1)),
  ])
  func `what no client may say is named with its place`(
    _ digits: String, _ offset: Int, _ reason: MalformedBytes.Reason
  ) {
    let error = ATTClientPDU.rejection(of: digits)
    #expect(error?.offset == offset)
    #expect(error?.reason == reason)
  }

  @Test func `an error names its PDU`() {
    #expect(
      ATTClientPDU.rejection(of: "02 17")?.description
        == "malformed Exchange MTU Request at byte 1: needs 2 bytes, has 1")
  }

  @Test func `a request knows its opcode`() {
    #expect(ATTRequest.readBlob(handle: 1, offset: 0).opcode == 0x0C)
    #expect(ATTCommand.write(handle: 1, value: []).opcode.isCommand)
    #expect(!ATTRequest.write(handle: 1, value: []).opcode.isCommand)
  }
}
