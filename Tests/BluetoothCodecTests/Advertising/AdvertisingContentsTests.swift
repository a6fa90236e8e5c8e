import BluetoothCodec
import Testing

@Suite struct AdvertisingContentsTests {
  private func data(_ digits: String) throws -> AdvertisingData {
    try AdvertisingData(decoding: hex(digits))
  }

  @Test func `a scan response adds what the advertisement lacks`() throws {
    let merged = try data("020106 0303F0FF").merging(data("0409456172 020106"))
    #expect(
      merged.structures == [
        .flags([.leGeneralDiscoverable, .brEdrNotSupported]),
        .serviceUUIDs([.bit16(0xFFF0)], isComplete: true),
        .localName(hex("456172"), isComplete: true),
      ])
  }

  @Test func `the advertisement wins where the two differ`() throws {
    let merged = try data("020A04").merging(data("020A08 03194109"))
    #expect(merged.txPower == 4)
    #expect(merged.appearance == 0x0941)
  }

  @Test func `a complete name wins over a shortened one wherever it stands`() throws {
    #expect(try data("0308 4561 0409 426967").localName == "Big")
    #expect(try data("0409 426967 0308 4561").localName == "Big")
    #expect(try data("0208 45 0308 4561").localName == "Ea")
    #expect(try data("020106").localName == nil)
  }

  @Test func `a name that is not UTF-8 is repaired`() throws {
    #expect(try data("0509 45FF6172").localName == "E\u{FFFD}ar")
  }

  @Test func `services of all lists and widths are collected`() throws {
    let found = try data("0302 0F18 0303 0A18 1107 F0DEBC9A785634127856341278563412 0416 0D18 64")
    #expect(
      found.serviceUUIDs == [
        .bit16(0x180F), .bit16(0x180A),
        BluetoothUUID(high: 0x1234_5678_1234_5678, low: 0x1234_5678_9ABC_DEF0),
      ])
    #expect(found.advertises(.bit16(0x180A)))
    #expect(found.advertises(.bit16(0x180D)), "as service data")
    #expect(!found.advertises(.bit16(0xFFF0)))
  }

  @Test func `a service is found through its long form`() throws {
    let found = try data("1107 FB349B5F80000080 00100000 F0FF0000")
    #expect(found.advertises(.bit16(0xFFF0)))
  }

  @Test func `data are looked up by service and by company`() throws {
    let found = try data("0416 0F18 64 03FF FFFF 04FF 4C00 10")
    #expect(found.serviceData(for: .bit16(0x180F)) == hex("64"))
    #expect(found.serviceData(for: .bit16(0x180A)) == nil)
    #expect(found.manufacturerData(for: 0x004C) == hex("10"))
    #expect(found.manufacturerData(for: 0xFFFF) == [])
    #expect(found.manufacturerData(for: 0x0001) == nil)
    #expect(found.flags == nil)
  }
}
