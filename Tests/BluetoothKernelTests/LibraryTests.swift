import BluetoothCodec
import CBluetooth
import TestSupport
import Testing

@testable import BluetoothKernel

/// libbluetooth's functions, compared with the specification's numbers.
@Suite struct LibraryTests {
  @Test(arguments: [
    (UInt8(6), UInt16(2), "Bluetooth 4.0, Intel Corp."),
    (11, 15, "Bluetooth 5.2, Broadcom Corporation"),
    (255, 2, "Intel Corp."), (9, 65_535, "Bluetooth 5.0"), (255, 65_000, ""),
  ])
  func `a controller's version and maker have names, unless nobody knows them`(
    version: UInt8, company: UInt16, words: String
  ) {
    #expect("\(ControllerVersion(lmp: version, company: company))" == words)
  }

  @Test func `a filter passes the types and events that it names`() {
    var random = SeededGenerator(seed: 49)
    for _ in 0..<1_000 {
      let events = Set((0..<4).map { _ in UInt8.random(in: .min ... .max, using: &random) })
      let form = HCIFilter(types: [.command, .event], events: events, opcode: .readRSSI).kernelForm
      // Bit n of the 64 is event n; the kernel has no other bits (`HCI_FLT_EVENT_BITS`).
      let mask = UInt64(form.event_mask.1) << 32 | UInt64(form.event_mask.0)
      #expect(mask == events.reduce(UInt64(0)) { $0 | 1 << UInt64($1 & 63) })
      #expect(form.type_mask == 1 << 1 | 1 << 4 && form.opcode == 0x1405)
    }
    #expect(HCIFilter(types: [.acl], events: [], opcode: nil).kernelForm.opcode == 0)
  }
}
