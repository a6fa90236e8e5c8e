import BluetoothCodec
import Testing

@Suite struct AdvertisingDataTests {
  /// Data may end after any structure, so a prefix of several structures is valid, too.
  @Test(arguments: AdvertisingData.samples)
  func `each type reads both ways`(_ sample: Sample<AdvertisingData>) throws {
    try sample.expectToHold()
  }

  @Test func `a structure of no length ends the data early`() throws {
    #expect(
      try AdvertisingData(decoding: hex("020106 00 0303F0FF"))
        == AdvertisingData([.flags([.leGeneralDiscoverable, .brEdrNotSupported])]))
    #expect(try AdvertisingData(decoding: hex("00 00 00")) == AdvertisingData())
    #expect(try AdvertisingData(decoding: []) == AdvertisingData())
  }

  @Test func `flags may be of any length`() throws {
    #expect(try AdvertisingData(decoding: hex("0101")) == AdvertisingData([.flags([])]))
    #expect(
      try AdvertisingData(decoding: hex("0301 0280"))
        == AdvertisingData([.flags(.leGeneralDiscoverable)]))
  }

  @Test(arguments: [
    ("05 09 45", 1, MalformedBytes.Reason.truncated(needed: 5, available: 2)),
    ("01 0A", 2, .truncated(needed: 1, available: 0)),
    ("03 0A F400", 3, .trailing(count: 1)),
    ("04 2E 010203", 2, .truncated(needed: 6, available: 3)),
    ("02 FF 4C", 2, .truncated(needed: 2, available: 1)),
  ])
  func `a bad structure is named with its place`(
    _ digits: String, _ offset: Int, _ reason: MalformedBytes.Reason
  ) {
    let error = AdvertisingData.rejection(of: digits)
    #expect(error?.offset == offset)
    #expect(error?.reason == reason)
  }

  @Test func `an error names its type`() {
    #expect(AdvertisingData.rejection(of: "020106 010A")?.what == "AD structure 0x0A")
  }

  @Test func `a bad structure does not hide the name`() {
    let (data, problem) = AdvertisingData.salvaging(hex("010A 0409456172 05FF4C"))
    #expect(data.localName == "Ear")
    #expect(data.structures.count == 1)
    #expect(
      problem == MalformedBytes("AD structure 0x0A", at: 2, .truncated(needed: 1, available: 0)))
  }

  @Test(arguments: [
    // "Ea", "Eä" with its second letter cut in two, "Ear" both in part and in full, nothing.
    ("0308 4561", "Ea", true), ("0308 45C3", "E", true), ("0308 4561 0409 456172", "Ear", false),
    ("0201 06", nil, false),
    // Firmware that fills its buffer: a zero byte ends the name.
    ("0809 4F5441 00 7F3102", "OTA", false),
  ])
  func `a shortened name is told apart from a complete one`(
    _ digits: String, _ name: String?, _ isShortened: Bool
  ) throws {
    let data = try AdvertisingData(decoding: hex(digits))
    #expect(data.localName == name && data.isNameShortened == isShortened)
  }

  @Test func `an empty list or name is a value`() throws {
    let data = try AdvertisingData(decoding: hex("0103 0109"))
    #expect(data.serviceUUIDs == [])
    #expect(data.localName == "")
  }

  @Test func `a list with a byte too many keeps its whole entries`() throws {
    let data = try AdvertisingData(decoding: hex("0603 F0FF 0F18 0A"))
    #expect(data.serviceUUIDs == [.bit16(0xFFF0), .bit16(0x180F)])
  }

  @Test func `a list is written in the width of its widest UUID`() throws {
    let data = AdvertisingData([
      .serviceUUIDs([.bit16(0x180F), .bit32(0x1234_5678)], isComplete: true)
    ])
    #expect(digits(try data.encoded()) == digits(hex("0905 0F180000 78563412")))
    #expect(try AdvertisingData(decoding: data.encoded()[...]) == data)
  }

  @Test func `a structure that its length cannot count is refused`() {
    let data = AdvertisingData([
      .txPower(0), .manufacturerData(company: 1, Bytes(repeating: 0, count: 253)),
    ])
    #expect(
      throws: MalformedBytes("advertising structure", at: 3, .tooLong(count: 256, limit: 255))
    ) {
      try data.encoded()
    }
  }

  @Test func `data are slices of the input`() throws {
    let bytes = hex("0409456172 05FF4C001007")
    let data = try AdvertisingData(decoding: bytes)
    #expect(data.manufacturerData(for: 0x004C)?.indices == bytes.indices.suffix(2))
  }
}
