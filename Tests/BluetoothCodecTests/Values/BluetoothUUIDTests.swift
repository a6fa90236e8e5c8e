import BluetoothCodec
import Testing

@Suite struct BluetoothUUIDTests {
  private static let vendor = BluetoothUUID(
    high: 0x1234_5678_1234_5678, low: 0x1234_5678_9ABC_DEF0)

  @Test func `short UUIDs equal their long form`() {
    #expect(
      BluetoothUUID.bit16(0x180F)
        == BluetoothUUID(high: 0x0000_180F_0000_1000, low: 0x8000_0080_5F9B_34FB))
    #expect(BluetoothUUID("0000180f-0000-1000-8000-00805f9b34fb") == .bit16(0x180F))
    #expect(BluetoothUUID.bit32(0x0000_180F) == .bit16(0x180F))
  }

  @Test(arguments: [
    ("180F", BluetoothUUID.bit16(0x180F)),
    ("12345678", .bit32(0x1234_5678)),
    ("12345678-1234-5678-1234-56789ABCDEF0", vendor),
  ])
  func `text reads both ways`(_ text: String, _ uuid: BluetoothUUID) {
    #expect(BluetoothUUID(text) == uuid)
    #expect(BluetoothUUID(text.lowercased()) == uuid)
    #expect(uuid.description == text)
  }

  @Test func `a prefix is understood`() { #expect(BluetoothUUID("0x180f") == .bit16(0x180F)) }

  @Test(arguments: [
    "", "18", "180", "180G", "+80F", "0x", "0x180", "180F0", "123456789", "１８０Ｆ",
    "12345678-1234-5678-1234-56789ABCDEF", "12345678-1234-5678-1234-56789ABCDEF01",
    "12345678123456781234567899ABCDEF", "1234567-81234-5678-1234-56789ABCDEF0",
    "12345678-1234-5678-1234-56789ABCDEF0-", "-2345678-1234-5678-1234-56789ABCDEF0",
  ])
  func `other text is refused`(_ text: String) { #expect(BluetoothUUID(text) == nil) }

  @Test func `bytes are least significant first`() throws {
    #expect(BluetoothUUID.bit16(0x180F).littleEndianBytes == [0x0F, 0x18])
    let long = "F0DEBC9A785634127856341278563412"
    #expect(digits(Self.vendor.littleEndianBytes) == digits(hex(long)))
    #expect(try BluetoothUUID(littleEndian: hex(long)) == Self.vendor)
    #expect(try BluetoothUUID(littleEndian: hex("0F18")) == .bit16(0x180F))
    #expect(try BluetoothUUID(littleEndian: hex("78563412")) == .bit32(0x1234_5678))
  }

  @Test func `ATT has no form of 32 bits`() {
    #expect(
      digits(BluetoothUUID.bit32(0x1234_5678).littleEndianBytes)
        == digits(hex("FB349B5F80000080 00100000 78563412")))
  }

  @Test(arguments: ["", "0F", "0F1800", "0F180000000000000000000000000000 00"])
  func `other lengths are malformed`(_ digits: String) {
    #expect(throws: MalformedBytes.self) { try BluetoothUUID(littleEndian: hex(digits)) }
  }
}
