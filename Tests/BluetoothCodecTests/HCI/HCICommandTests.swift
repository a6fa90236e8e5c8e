import BluetoothCodec
import Testing

extension HCICommand: WireFormat {
  static let samples: [Sample<HCICommand>] =
    [
      Sample("030C 00", .reset),
      Sample("0210 00", .readLocalSupportedCommands),
      Sample("0514 02 4000", .readRSSI(connection: 0x0040)),
      Sample(
        "0B20 07 01 6000 3000 00 00",
        .leSetScanParameters(
          LEScanTiming(isActive: true, interval: 0x60, window: 0x30), own: .public,
          filterPolicy: 0)),
      Sample("0C20 02 01 00", .leSetScanEnable(true, filterDuplicates: false)),
      Sample(
        "1320 0E 4000 0600 0C00 0000 C800 0000 0000",
        .leConnectionUpdate(
          LEConnectionUpdate(
            connection: 0x40, minimumInterval: 6, maximumInterval: 12, latency: 0,
            supervisionTimeout: 200))),
      Sample("3020 02 4000", .leReadPHY(connection: 0x0040)),
      Sample(
        "4120 08 01 00 01 01 6000 3000",
        .leSetExtendedScanParameters(
          LEExtendedScan(
            own: .random, le1M: LEScanTiming(isActive: true, interval: 0x60, window: 0x30)))),
      Sample(
        "4120 0D 00 00 05 01 6000 3000 00 2001 9000",
        .leSetExtendedScanParameters(
          LEExtendedScan(
            own: .public, le1M: LEScanTiming(isActive: true, interval: 0x60, window: 0x30),
            leCoded: LEScanTiming(isActive: false, interval: 0x120, window: 0x90)))),
      Sample(
        "4220 06 01 02 D007 0500",
        .leSetExtendedScanEnable(true, filterDuplicates: .perPeriod, duration: 2000, period: 5)),
    ]
    + [HCIParameters(hex("0102"))].compactMap { $0 }.map {
      Sample("01FC 02 0102", .other(HCIOpcode(group: 0x3F, command: 1), $0))
    }
}

@Suite struct HCICommandTests {
  @Test(arguments: HCICommand.samples)
  func `commands read both ways`(_ sample: Sample<HCICommand>) throws { try sample.expectToHold() }

  @Test(arguments: [
    ("0C20 03 01 00", 3, MalformedBytes.Reason.truncated(needed: 3, available: 2)),
    ("0C20 02 01 00 00", 5, .trailing(count: 1)),
    ("0C20 03 01 00 00", 5, .trailing(count: 1)),
    ("0C20 02 02 00", 3, .badValue(2)),
    ("4120 08 01 00 02 01 6000 3000", 5, .badValue(2)),
    ("0B20 07 01 6000 3000 04 00", 8, .badValue(4)),
  ])
  func `a bad command is named with its place`(
    _ digits: String, _ offset: Int, _ reason: MalformedBytes.Reason
  ) {
    let error = HCICommand.rejection(of: digits)
    #expect(error?.offset == offset)
    #expect(error?.reason == reason)
  }

  @Test func `parameters have at most 255 bytes`() {
    #expect(HCIParameters(Bytes(repeating: 0, count: 255)) != nil)
    #expect(HCIParameters(Bytes(repeating: 0, count: 256)) == nil)
  }

  @Test(arguments: [
    (HCIOpcode.reset, "Reset"), (.readLocalSupportedCommands, "Read Local Supported Commands"),
    (.readRSSI, "Read RSSI"), (.leSetScanParameters, "LE Set Scan Parameters"),
    (.leSetScanEnable, "LE Set Scan Enable"), (.leConnectionUpdate, "LE Connection Update"),
    (.leReadPHY, "LE Read PHY"),
    (.leSetExtendedScanParameters, "LE Set Extended Scan Parameters"),
  ])
  func `a command has the specification's name`(opcode: HCIOpcode, name: String) {
    #expect(opcode.description == name)
  }

  @Test func `an opcode is a group and a command`() {
    let opcode = HCIOpcode.leSetExtendedScanEnable
    #expect(opcode.rawValue == 0x2042)
    #expect(opcode.group == 0x08)
    #expect(opcode.command == 0x0042)
    #expect(opcode.description == "LE Set Extended Scan Enable")
    #expect(HCIOpcode(rawValue: 0x0C01).description == "HCI command 0x0C01")
    #expect(HCIOpcode(rawValue: 0xFC01).description == "HCI command 0xFC01")
  }
}
