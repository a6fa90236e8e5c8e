import BluetoothCodec
import Testing

@Test func shortUUIDsEqualTheirLongForm() {
  #expect(
    BluetoothUUID.bit16(0x180F)
      == BluetoothUUID(high: 0x0000_180F_0000_1000, low: 0x8000_0080_5F9B_34FB))
}
