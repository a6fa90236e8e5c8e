import BluetoothCodec
import Testing

extension ATTServerPDU: WireFormat {
  private static let vendorUUID = BluetoothUUID(
    high: 0x1234_5678_1234_5678, low: 0x1234_5678_9ABC_DEF0)

  static let samples: [Sample<ATTServerPDU>] = [
    Sample(
      "01 0A 0300 01",
      .response(.error(ATTErrorResponse(opcode: 0x0A, handle: 3, code: .invalidHandle)))),
    Sample(
      "01 12 0900 80",
      .response(
        .error(
          ATTErrorResponse(
            opcode: .writeRequest, handle: 9, code: ATTErrorCode(rawValue: 0x80))))),
    Sample("03 F700", .response(.exchangeMTU(serverMTU: 247))),
    Sample(
      "05 01 0400 0228 0500 0329",
      .response(
        .findInformation([
          ATTInformation(handle: 4, type: .bit16(0x2802)),
          ATTInformation(handle: 5, type: .bit16(0x2903)),
        ]))),
    Sample(
      "05 02 0400 F0DEBC9A785634127856341278563412",
      .response(.findInformation([ATTInformation(handle: 4, type: vendorUUID)]))),
    Sample(
      "07 0100 0500 1000 FFFF",
      .response(
        .findByTypeValue([
          ATTHandleRange(start: 1, end: 5), ATTHandleRange(start: 16, end: 0xFFFF),
        ]))),
    Sample(
      "09 07 0200 02 0300 002A 0400 02 0500 012A",
      .response(
        .readByType([
          ATTHandleValue(handle: 2, value: hex("02 0300 002A")),
          ATTHandleValue(handle: 4, value: hex("02 0500 012A")),
        ]))),
    Sample(
      "09 02 0200", .response(.readByType([ATTHandleValue(handle: 2, value: [])]))),
    Sample("0B 64", .response(.read(value: hex("64")))),
    Sample("0B", .response(.read(value: []))),
    Sample("0D 6F6E65", .response(.readBlob(value: hex("6F6E65")))),
    Sample("0F 0102", .response(.readMultiple(values: hex("0102")))),
    Sample(
      "11 06 0100 0500 0018 0600 0900 0118",
      .response(
        .readByGroupType([
          ATTGroup(range: ATTHandleRange(start: 1, end: 5), value: hex("0018")),
          ATTGroup(range: ATTHandleRange(start: 6, end: 9), value: hex("0118")),
        ]))),
    Sample("13", .response(.write)),
    Sample(
      "17 0700 1200 ABCD",
      .response(.prepareWrite(handle: 7, offset: 18, value: hex("ABCD")))),
    Sample("19", .response(.executeWrite)),
    Sample(
      "21 0100 64 0200 0102",
      .response(.readMultipleVariable(values: [hex("64"), hex("0102")], isComplete: true))),
    Sample(
      "21 0100 64 00",
      .response(.readMultipleVariable(values: [hex("64")], isComplete: false))),
    Sample(
      "1B 0B00 03 02", .notification(ATTHandleValue(handle: 11, value: hex("03 02")))),
    Sample("1D 0800 0100 FFFF", .indication(ATTHandleValue(handle: 8, value: hex("0100FFFF")))),
    Sample(
      "23 0B00 0200 0302 0E00 0100 64",
      .multipleNotifications([
        ATTHandleValue(handle: 11, value: hex("0302")),
        ATTHandleValue(handle: 14, value: hex("64")),
      ])),
  ]
}

@Suite struct ATTServerPDUTests {
  @Test(arguments: ATTServerPDU.samples)
  func `pdus of a server read both ways`(_ sample: Sample<ATTServerPDU>) throws {
    try sample.expectToHold()
  }

  @Test func `values share the storage of the input`() throws {
    let bytes = hex("0B 4561 7273 686F 74")
    let pdu = try ATTServerPDU(decoding: bytes)
    guard case .response(.read(let value)) = pdu else {
      Issue.record("not a Read Response")
      return
    }
    #expect(value.indices == bytes.indices.dropFirst())
    let inside = bytes.withUnsafeBufferPointer { bytes in
      value.withUnsafeBufferPointer { value in
        value.baseAddress == bytes.baseAddress.map { $0 + 1 }
      }
    }
    #expect(inside)
  }

  @Test func `a value cut by the MTU is marked incomplete`() throws {
    #expect(
      try ATTServerPDU(decoding: hex("21 0100 64 0500 0102"))
        == .response(
          .readMultipleVariable(values: [hex("64"), hex("0102")], isComplete: false)))
  }

  @Test func `a list of one length ends before a value of another`() throws {
    let items = [
      ATTHandleValue(handle: 2, value: hex("0102")), ATTHandleValue(handle: 3, value: hex("03")),
      ATTHandleValue(handle: 4, value: hex("0405")),
    ]
    #expect(
      digits(ATTServerPDU.response(.readByType(items)).encoded()) == digits(hex("09 04 0200 0102")))
  }

  @Test func `a value longer than its length byte is cut`() throws {
    let long = Bytes(repeating: 0x55, count: 300)
    let bytes = ATTServerPDU.response(
      .readByType([ATTHandleValue(handle: 2, value: long)])
    ).encoded()
    #expect(bytes.count == 2 + 255)
    #expect(
      try ATTServerPDU(decoding: bytes[...])
        == .response(.readByType([ATTHandleValue(handle: 2, value: long.prefix(253))])))
  }

  @Test(arguments: [
    ("", 0, MalformedBytes.Reason.truncated(needed: 1, available: 0)),
    ("0A 0300", 0, .unknownType(0x0A)),
    ("01 0A 0300", 4, .truncated(needed: 1, available: 0)),
    ("01 0A 0300 01 00", 5, .trailing(count: 1)),
    ("05 03 0400 0228", 1, .badValue(3)),
    ("05 01", 2, .truncated(needed: 2, available: 0)),
    ("05 01 0400 02", 4, .truncated(needed: 2, available: 1)),
    ("07 0100 05", 3, .truncated(needed: 2, available: 1)),
    ("09 01 0200", 1, .badLength(1)),
    ("09 07 0200 02", 4, .truncated(needed: 5, available: 1)),
    ("11 03 0100 05", 1, .badLength(3)),
    ("13 00", 1, .trailing(count: 1)),
    ("21 01", 1, .truncated(needed: 2, available: 1)),
    ("23 0B00 0500 0302", 5, .truncated(needed: 5, available: 2)),
    ("1B 0B", 1, .truncated(needed: 2, available: 1)),
  ])
  func `what no server may say is named with its place`(
    _ digits: String, _ offset: Int, _ reason: MalformedBytes.Reason
  ) {
    let error = ATTServerPDU.rejection(of: digits)
    #expect(error?.offset == offset)
    #expect(error?.reason == reason)
  }

  @Test func `each opcode has one sender`() {
    let known = (0...255).map { ATTOpcode(rawValue: UInt8($0)) }.filter { $0.sender != nil }
    #expect(known.count == 31)
    #expect(Set(ATTClientPDU.samples.map(\.value.opcode)).allSatisfy { $0.sender == .client })
    #expect(Set(ATTServerPDU.samples.map(\.value.opcode)).allSatisfy { $0.sender == .server })
    let sampled = Set(
      ATTClientPDU.samples.map(\.value.opcode) + ATTServerPDU.samples.map(\.value.opcode))
    #expect(sampled == Set(known), "each PDU has a sample")
  }
}
