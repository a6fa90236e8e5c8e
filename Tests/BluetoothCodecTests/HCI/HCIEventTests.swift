import BluetoothCodec
import Testing

extension HCIEvent: WireFormat {
  private static let bud = BluetoothAddress(value: 0xF0F1_F2F3_F4F5)

  static let samples: [Sample<HCIEvent>] =
    links + completions + AdvertisingReport.samples + [
      Sample("10 01 42", .other(code: 0x10, hex("42"))),
      Sample("3E 02 14 00", .le(.other(subevent: 0x14, hex("00")))),
    ]

  private static let links: [Sample<HCIEvent>] = [
    Sample(
      "03 0B 00 0100 F5F4F3F2F1F0 01 00",
      .connectionComplete(
        .success, ClassicLink(connection: 1, peer: bud, kind: .acl), isEncrypted: false)),
    Sample(
      "2C 11 00 0101 F5F4F3F2F1F0 02 0C 02 3C00 3C00 02",
      .synchronousConnectionComplete(
        .success, ClassicLink(connection: 0x0101, peer: bud, kind: .eSCO),
        SynchronousTiming(
          interval: 12, retransmissionWindow: 2, receiveLength: 60, transmitLength: 60, airMode: 2))
    ),
    Sample(
      "05 04 00 4000 08",
      .disconnectionComplete(.success, connection: 0x40, reason: .connectionTimeout)),
    Sample("08 04 00 4000 01", .encryptionChange(.success, connection: 0x40, .on)),
    Sample("08 04 06 4000 00", .encryptionChange(.keyMissing, connection: 0x40, .off)),
    Sample(
      "3E 13 01 00 4000 00 01 F5F4F3F2F1F0 1800 0000 4800 05",
      .le(
        .connectionComplete(
          LEConnection(
            status: .success, connection: 0x40, isPeripheral: false, peerType: .random,
            peer: bud,
            timing: LEConnectionTiming(interval: 24, latency: 0, supervisionTimeout: 72),
            centralClockAccuracy: 5)))),
    Sample(
      "3E 1F 0A 00 4000 00 03 F5F4F3F2F1F0 000000000000 010203040540 1800 0000 4800 00",
      .le(
        .enhancedConnectionComplete(
          LEConnection(
            status: .success, connection: 0x40, isPeripheral: false, peerType: .randomIdentity,
            peer: bud,
            timing: LEConnectionTiming(interval: 24, latency: 0, supervisionTimeout: 72),
            centralClockAccuracy: 0),
          LEConnectionPrivacy(
            local: BluetoothAddress(value: 0),
            peer: BluetoothAddress(value: 0x4005_0403_0201))))),
    Sample(
      "3E 0A 03 00 4000 0C00 0400 F401",
      .le(
        .connectionUpdateComplete(
          .success, connection: 0x40,
          LEConnectionTiming(interval: 12, latency: 4, supervisionTimeout: 500)))),
    Sample(
      "3E 0B 07 4000 FB00 4808 1B00 4801",
      .le(
        .dataLengthChange(
          connection: 0x40,
          LEDataLength(
            transmitOctets: 251, transmitTime: 2120, receiveOctets: 27, receiveTime: 328)))),
    Sample(
      "3E 06 0C 00 4000 02 01",
      .le(.phyUpdateComplete(.success, connection: 0x40, transmit: .le2M, receive: .le1M))),
  ]

  private static let completions: [Sample<HCIEvent>] = [
    Sample(
      "0E 04 01 0C20 0C",
      .commandComplete(credits: 1, .leSetScanEnable, .status(.commandDisallowed))),
    Sample("0E 03 01 0000", .commandComplete(credits: 1, HCIOpcode(rawValue: 0), .other([]))),
    Sample(
      "0E 44 01 0210 00 "
        + "00" + String(repeating: "00", count: 25) + "0C" + String(repeating: "00", count: 10)
        + "60" + String(repeating: "00", count: 26),
      .commandComplete(
        credits: 1, .readLocalSupportedCommands,
        .supportedCommands(
          HCISupportedCommands([
            .leSetScanParameters, .leSetScanEnable, .leSetExtendedScanParameters,
            .leSetExtendedScanEnable,
          ])))),
    Sample(
      "0E 07 01 0514 00 4000 C4",
      .commandComplete(credits: 1, .readRSSI, .rssi(connection: 0x40, -60))),
    Sample(
      "0E 07 01 0514 00 4000 7F",
      .commandComplete(credits: 1, .readRSSI, .rssi(connection: 0x40, nil))),
    Sample(
      "0E 07 01 0514 02 4000 00",
      .commandComplete(credits: 1, .readRSSI, .failure(.unknownConnection, hex("400000")))),
    Sample(
      "0E 08 01 3020 00 4000 02 02",
      .commandComplete(
        credits: 1, .leReadPHY, .phy(connection: 0x40, transmit: .le2M, receive: .le2M))),
    Sample("0F 04 00 01 1320", .commandStatus(.success, credits: 1, .leConnectionUpdate)),
    Sample("0F 04 0C 01 3020", .commandStatus(.commandDisallowed, credits: 1, .leReadPHY)),
  ]
}

@Suite struct HCIEventTests {
  @Test(arguments: HCIEvent.samples)
  func `events read both ways`(_ sample: Sample<HCIEvent>) throws { try sample.expectToHold() }

  @Test(arguments: [
    ("05 04 00 4000", 2, MalformedBytes.Reason.truncated(needed: 4, available: 3)),
    ("05 03 00 4000", 5, .truncated(needed: 1, available: 0)),
    ("05 05 00 4000 08 00", 6, .trailing(count: 1)),
    ("08 04 00 4000 03", 5, .badValue(3)),
    ("3E 00", 2, .truncated(needed: 1, available: 0)),
    ("3E 02 02 01", 4, .truncated(needed: 1, available: 0)),
    ("3E 0C 02 01 00 00 F5F4F3F2F1F0 05 C4", 13, .truncated(needed: 5, available: 1)),
  ])
  func `a bad event is named with its place`(
    _ digits: String, _ offset: Int, _ reason: MalformedBytes.Reason
  ) {
    let error = HCIEvent.rejection(of: digits)
    #expect(error?.offset == offset)
    #expect(error?.reason == reason)
  }

  @Test func `an event that its length cannot count is refused`() {
    let event = HCIEvent.other(code: 0xFF, Bytes(repeating: 0, count: 256))
    #expect(throws: MalformedBytes("HCI event", at: 1, .tooLong(count: 256, limit: 255))) {
      try event.encoded()
    }
  }

  @Test func `supported commands are taken from their bits`() throws {
    let event = try HCIEvent(
      decoding: hex(
        "0E 44 01 0210 00 " + String(repeating: "00", count: 37) + "20"
          + String(repeating: "00", count: 26)))
    guard case .commandComplete(_, _, .supportedCommands(let commands)) = event else {
      Issue.record("no mask in \(event)")
      return
    }
    #expect(commands.contains(.leSetExtendedScanParameters))
    #expect(!commands.contains(.leSetExtendedScanEnable))
    #expect(!commands.contains(HCIOpcode(rawValue: 0xFC00)))
  }

  @Test(arguments: [
    (UInt8(0x00), "Success"), (0x08, "Connection Timeout"), (0x0C, "Command Disallowed"),
    (0x13, "Remote User Terminated Connection"), (0x16, "Connection Terminated By Local Host"),
    (0x22, "LMP Response Timeout or LL Response Timeout"),
    (0x2A, "Different Transaction Collision"),
    (0x2F, "Insufficient Security"), (0x34, "Reserved Slot Violation"),
    (0x3D, "Connection Terminated due to MIC Failure"), (0x45, "Packet Too Long"),
    (0x48, "Insufficient Channels"), (0x49, "Reserved Error"), (0xFF, "Reserved Error"),
  ])
  func `a status has the name of its specification`(_ code: UInt8, _ name: String) {
    #expect(HCIStatus(rawValue: code).name == name)
  }
}
