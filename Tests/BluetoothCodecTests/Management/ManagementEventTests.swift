import BluetoothCodec
import Testing

extension ManagementEventPacket: WireFormat {
  private static let bud = "F5F4F3F2F1F0 02"

  static let samples: [Sample<ManagementEventPacket>] =
    completions + controllers + devices + (someKey.map(keys) ?? [])

  private static let completions: [Sample<ManagementEventPacket>] = [
    Sample(
      "0100 FFFF 0600 0100 00 01 1600",
      ManagementEventPacket(
        .commandComplete(.readVersion, .success, .version(1, revision: 22)))),
    Sample(
      "0100 FFFF 0900 0300 00 0200 0000 0100",
      ManagementEventPacket(.commandComplete(.readIndexList, .success, .controllers([0, 1])))),
    on0(
      "0100 0000 1B01 0400 00 665544332211 0C 0F00 FFFF0100 C10A0000 0C0124 "
        + "6861 6C6C" + String(repeating: "00", count: 245) + "68"
        + String(repeating: "00", count: 10),
      .commandComplete(
        .readControllerInformation, .success,
        .information(
          ControllerInformation(
            address: BluetoothAddress(value: 0x1122_3344_5566), bluetoothVersion: 12,
            manufacturer: 15, supported: ManagementSettings(rawValue: 0x1_FFFF),
            current: [.powered, .secureSimplePairing, .brEdr, .lowEnergy, .secureConnections],
            classOfDevice: 0x24_010C, name: hex("68616C6C"), shortName: hex("68"))))),
    on0(
      "0100 0000 0700 0500 00 01020000",
      .commandComplete(.setPowered, .success, .settings([.powered, .lowEnergy]))),
    on0(
      "0100 0000 0700 2D00 00 010A0000",
      .commandComplete(
        .setSecureConnections, .success, .settings([.powered, .lowEnergy, .secureConnections]))),
    on0("0100 0000 0400 2300 00 06", .commandComplete(.startDiscovery, .success, .discovery(.le))),
    on0("0100 0000 0400 2300 0A 06", .commandComplete(.startDiscovery, .busy, .discovery(.le))),
    on0("0100 0000 0A00 1900 00 \(bud)", .commandComplete(.pairDevice, .success, .peer(.bud))),
    on0(
      "0100 0000 0A00 1900 05 \(bud)",
      .commandComplete(.pairDevice, .authenticationFailed, .peer(.bud))),
    on0(
      "0100 0000 0300 1900 0D",
      .commandComplete(.pairDevice, .invalidParameters, .other([]))),
    on0(
      "0100 0000 0C00 1500 00 0100 \(bud)",
      .commandComplete(.getConnections, .success, .connections([.bud]))),
    on0(
      "0100 0000 0D00 3100 00 \(bud) C4 7F 0A",
      .commandComplete(
        .getConnectionInformation, .success,
        .connectionInformation(.bud, rssi: -60, txPower: nil, maximumTxPower: 10))),
    on0("0100 0000 0300 1200 00", .commandComplete(.loadLinkKeys, .success, .other([]))),
    on0("0200 0000 0300 0500 14", .commandStatus(.setPowered, .permissionDenied)),
  ]

  private static let controllers: [Sample<ManagementEventPacket>] = [
    on0("0300 0000 0100 7F", .controllerError(code: 0x7F)),
    on0("0400 0000 0000", .indexAdded),
    on0("0500 0000 0000", .indexRemoved),
    on0("0600 0000 0400 00020000", .newSettings(.lowEnergy)),
    on0("1300 0000 0200 06 01", .discovering(.le, true)),
    on0("2000 0000 0200 0001", .other(code: 0x0020, hex("0001"))),
  ]

  private static let devices: [Sample<ManagementEventPacket>] = [
    on0(
      "0B00 0000 1200 \(bud) 08000000 0500 0409456172",
      .deviceConnected(.bud, .initiatedConnection, data: hex("0409456172"))),
    on0("0C00 0000 0800 \(bud) 03", .deviceDisconnected(.bud, .remote)),
    on0("0D00 0000 0800 \(bud) 08", .connectFailed(.bud, .timeout)),
    on0("0E00 0000 0800 \(bud) 01", .pinCodeRequest(.bud, isSecure: true)),
    on0(
      "0F00 0000 0C00 \(bud) 00 40E20100",
      .userConfirmationRequest(.bud, value: 123_456, isHint: false)),
    on0("1000 0000 0700 \(bud)", .userPasskeyRequest(.bud)),
    on0("1100 0000 0800 \(bud) 05", .authenticationFailed(.bud, .authenticationFailed)),
    on0(
      "1200 0000 1300 \(bud) C4 00000000 0500 0409456172",
      .deviceFound(.bud, rssi: -60, [], data: hex("0409456172"))),
    on0(
      "1200 0000 0E00 \(bud) 7F 24000000 0000",
      .deviceFound(.bud, rssi: nil, [.notConnectable, .scanResponse], data: [])),
    on0("1600 0000 0700 \(bud)", .deviceUnpaired(.bud)),
    on0(
      "1700 0000 0C00 \(bud) 40E20100 02", .passkeyNotify(.bud, passkey: 123_456, entered: 2)),
  ]

  private static func keys(_ key: SecretKey) -> [Sample<ManagementEventPacket>] {
    [
      on0(
        "0900 0000 1A00 01 554433221100 00 08 \(keyDigits) 00",
        .newLinkKey(
          LinkKey(peer: .speaker, kind: 8, key: key, pinLength: 0), isToBeStored: true)),
      on0(
        "0A00 0000 2500 01 \(bud) 03 01 10 0000 0000000000000000 \(keyDigits)",
        .newLongTermKey(
          LongTermKey(
            peer: .bud, kind: .authenticatedP256, central: 1, encryptionSize: 16,
            encryptedDiversifier: 0, random: 0, key: key),
          isToBeStored: true)),
      on0(
        "1800 0000 1E00 01 010203040540 \(bud) \(keyDigits)",
        .newIdentityResolvingKey(
          IdentityResolvingKey(peer: .bud, key: key),
          from: BluetoothAddress(value: 0x4005_0403_0201), isToBeStored: true)),
      on0(
        "1900 0000 1900 00 \(bud) 03 \(keyDigits)",
        .newSignatureResolvingKey(
          SignatureResolvingKey(peer: .bud, kind: 3, key: key), isToBeStored: false)),
    ]
  }

  private static func on0(
    _ digits: String, _ event: ManagementEvent
  ) -> Sample<ManagementEventPacket> {
    Sample(digits, ManagementEventPacket(event, controller: 0))
  }
}

@Suite struct ManagementEventTests {
  @Test(arguments: ManagementEventPacket.samples)
  func `events read both ways`(_ sample: Sample<ManagementEventPacket>) throws {
    try sample.expectToHold()
  }

  @Test(arguments: [
    (
      "1200 0000 0E00 F5F4F3F2F1F0 02 C4 00000000 0500", 20,
      MalformedBytes.Reason.truncated(needed: 5, available: 0)
    ),
    ("1200 0000 0F00 F5F4F3F2F1F0 02 C4 00000000 0000 00", 20, .trailing(count: 1)),
    ("0C00 0000 0800 F5F4F3F2F1F0 09 03", 12, .badValue(9)),
    ("0100 0000 0500 0500 00 0102", 9, .truncated(needed: 4, available: 2)),
    ("0100 FFFF 0700 0300 00 0200 0000", 13, .truncated(needed: 2, available: 0)),
  ])
  func `a bad event is named with its place`(
    _ digits: String, _ offset: Int, _ reason: MalformedBytes.Reason
  ) {
    let error = ManagementEventPacket.rejection(of: digits)
    #expect(error?.offset == offset)
    #expect(error?.reason == reason)
  }

  @Test func `a name without an end is refused`() {
    let error = ManagementEventPacket.rejection(
      of: "0100 0000 1B01 0400 00" + String(repeating: "41", count: 280))
    #expect(error == MalformedBytes("management event", at: 29, .badLength(249)))
  }

  @Test(arguments: [
    (UInt8(0x00), "Success"), (0x0A, "Busy"), (0x0F, "Not Powered"), (0x12, "RFKilled"),
    (0x14, "Permission Denied"), (0x15, "Unknown Status"),
  ])
  func `a status has the name of the documentation`(_ code: UInt8, _ name: String) {
    #expect(ManagementStatus(rawValue: code).name == name)
  }
}
