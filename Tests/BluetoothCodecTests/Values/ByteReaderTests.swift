import BluetoothCodec
import Testing

@Suite struct ByteReaderTests {
  @Test func `fields are taken in order least significant byte first`() throws {
    var reader = ByteReader(
      hex("01 FF 0302 060504 0A090807 1211100F0E0D0C0B 0102"), of: "fields")
    #expect(try reader.uint8() == 0x01)
    #expect(try reader.int8() == -1)
    #expect(try reader.uint16() == 0x0203)
    #expect(try reader.uint24() == 0x0405_06)
    #expect(try reader.uint32() == 0x0708_090A)
    #expect(try reader.uint64() == 0x0B0C_0D0E_0F10_1112)
    #expect(reader.offset == 19)
    #expect(reader.remaining == 2)
    #expect(digits(reader.rest()) == "01 02")
    try reader.finish()
  }

  @Test func `a field that does not fit takes nothing`() {
    var reader = ByteReader(hex("01 02 03"), of: "field")
    #expect(throws: MalformedBytes("field", at: 0, .truncated(needed: 4, available: 3))) {
      try reader.uint32()
    }
    #expect(reader.offset == 0)
    #expect(throws: MalformedBytes("field", at: 0, .truncated(needed: .max, available: 3))) {
      try reader.read(.max)
    }
    #expect(throws: MalformedBytes("field", at: 0, .badLength(-1))) { try reader.read(-1) }
  }

  @Test func `a section ends where its length says and counts on`() throws {
    var reader = ByteReader(hex("AA 01 02 03"), of: "outer")
    _ = try reader.uint8()
    var section = try reader.section(2)
    #expect(try reader.uint8() == 0x03)
    #expect(try section.uint8() == 0x01)
    #expect(section.offset == 2)
    #expect(throws: MalformedBytes("outer", at: 2, .truncated(needed: 2, available: 1))) {
      try section.uint16()
    }
    #expect(throws: MalformedBytes("outer", at: 2, .trailing(count: 1))) { try section.finish() }
  }

  @Test func `choices refuse what they do not have`() {
    var reader = ByteReader(hex("02 07"), of: "choices")
    #expect(throws: MalformedBytes("choices", at: 0, .badValue(2))) { try reader.bool() }
    #expect(throws: MalformedBytes("choices", at: 1, .badValue(7))) {
      try reader.choice(ATTExecuteFlag.self)
    }
  }
}
