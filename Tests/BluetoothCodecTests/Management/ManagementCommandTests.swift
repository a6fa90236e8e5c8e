import BluetoothCodec
import Testing

extension ManagementPeer {
  static let bud = ManagementPeer(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .leRandom)
  static let speaker = ManagementPeer(BluetoothAddress(value: 0x0011_2233_4455), .brEdr)
}

/// The digits of a key, and the key.
let keyDigits = "000102030405060708090A0B0C0D0E0F"
let someKey = SecretKey(hex(keyDigits))

extension ManagementCommandPacket: WireFormat {
  static let samples: [Sample<ManagementCommandPacket>] =
    settings + about(.bud) + (someKey.map(keys) ?? [])

  private static let settings: [Sample<ManagementCommandPacket>] = [
    Sample("0100 FFFF 0000", ManagementCommandPacket(.readVersion)),
    Sample("0300 FFFF 0000", ManagementCommandPacket(.readIndexList)),
    on0("0400 0000 0000", .readControllerInformation),
    on0("0500 0000 0100 01", .setPowered(true)),
    on0("0700 0000 0100 00", .setConnectable(false)),
    on0("0900 0000 0100 01", .setBondable(true)),
    on0("0B00 0000 0100 01", .setSecureSimplePairing(true)),
    on0("0D00 0000 0100 01", .setLE(true)),
    on0("2D00 0000 0100 02", .setSecureConnections(.only)),
    on0("1500 0000 0000", .getConnections),
    on0("1800 0000 0100 03", .setIOCapability(.noInputNoOutput)),
    on0("2300 0000 0100 06", .startDiscovery(.le)),
    on0("2400 0000 0100 06", .stopDiscovery([.lePublic, .leRandom])),
    Sample(
      "3A00 0100 0200 0102",
      ManagementCommandPacket(.other(ManagementOpcode(rawValue: 0x3A), hex("0102")), controller: 1)),
  ]

  private static func about(_ peer: ManagementPeer) -> [Sample<ManagementCommandPacket>] {
    let digits = "F5F4F3F2F1F0 02"
    return [
      on0("1400 0000 0700 \(digits)", .disconnect(peer)),
      on0("3100 0000 0700 \(digits)", .getConnectionInformation(peer)),
      on0("1900 0000 0800 \(digits) 04", .pairDevice(peer, .keyboardDisplay)),
      on0("1A00 0000 0700 \(digits)", .cancelPairDevice(peer)),
      on0("1B00 0000 0800 \(digits) 01", .unpairDevice(peer, disconnects: true)),
      on0(
        "1600 0000 1800 \(digits) 04 30303030" + String(repeating: "00", count: 12),
        .pinCodeReply(peer, pin: hex("30303030"))),
      on0("1700 0000 0700 \(digits)", .pinCodeNegativeReply(peer)),
      on0("1C00 0000 0700 \(digits)", .userConfirmationReply(peer)),
      on0("1D00 0000 0700 \(digits)", .userConfirmationNegativeReply(peer)),
      on0("1E00 0000 0B00 \(digits) 40E20100", .userPasskeyReply(peer, passkey: 123_456)),
      on0("1F00 0000 0700 \(digits)", .userPasskeyNegativeReply(peer)),
    ]
  }

  private static func keys(_ key: SecretKey) -> [Sample<ManagementCommandPacket>] {
    [
      on0("1200 0000 0300 00 0000", .loadLinkKeys([], acceptsDebugKeys: false)),
      on0(
        "1200 0000 1C00 00 0100 554433221100 00 08 \(keyDigits) 00",
        .loadLinkKeys(
          [LinkKey(peer: .speaker, kind: 8, key: key, pinLength: 0)], acceptsDebugKeys: false)),
      on0(
        "1300 0000 2600 0100 F5F4F3F2F1F0 02 02 00 10 3412 0807060504030201 \(keyDigits)",
        .loadLongTermKeys([
          LongTermKey(
            peer: .bud, kind: .unauthenticatedP256, central: 0, encryptionSize: 16,
            encryptedDiversifier: 0x1234, random: 0x0102_0304_0506_0708, key: key)
        ])),
      on0(
        "3000 0000 1900 0100 F5F4F3F2F1F0 02 \(keyDigits)",
        .loadIdentityResolvingKeys([IdentityResolvingKey(peer: .bud, key: key)])),
    ]
  }

  private static func on0(
    _ digits: String, _ command: ManagementCommand
  ) -> Sample<ManagementCommandPacket> {
    Sample(digits, ManagementCommandPacket(command, controller: 0))
  }
}

@Suite struct ManagementCommandTests {
  @Test(arguments: ManagementCommandPacket.samples)
  func `commands read both ways`(_ sample: Sample<ManagementCommandPacket>) throws {
    try sample.expectToHold()
  }

  @Test(arguments: [
    ("0500 0000 01", 4, MalformedBytes.Reason.truncated(needed: 2, available: 1)),
    ("0500 0000 0200 01", 6, .truncated(needed: 2, available: 1)),
    ("0500 0000 0100 01 00", 7, .trailing(count: 1)),
    ("0500 0000 0200 01 00", 7, .trailing(count: 1)),
    ("0500 0000 0100 02", 6, .badValue(2)),
    ("1400 0000 0700 F5F4F3F2F1F0 03", 12, .badValue(3)),
    ("2D00 0000 0100 03", 6, .badValue(3)),
    ("1600 0000 1800 F5F4F3F2F1F0 00 11" + String(repeating: "30", count: 16), 13, .badValue(17)),
    ("1600 0000 0C00 F5F4F3F2F1F0 00 04 30303030", 14, .truncated(needed: 16, available: 4)),
    ("3000 0000 0200 FFFF", 8, .truncated(needed: 6, available: 0)),
  ])
  func `a bad command is named with its place`(
    _ digits: String, _ offset: Int, _ reason: MalformedBytes.Reason
  ) {
    let error = ManagementCommandPacket.rejection(of: digits)
    #expect(error?.offset == offset)
    #expect(error?.reason == reason)
  }

  @Test func `a packet that its length cannot count is refused`() throws {
    let key = try #require(someKey)
    let keys = Array(repeating: IdentityResolvingKey(peer: .bud, key: key), count: 2_850)
    let packet = ManagementCommandPacket(.loadIdentityResolvingKeys(keys), controller: 0)
    let error = try #require(throws: MalformedBytes.self) { try packet.encoded() }
    #expect(error.reason == .tooLong(count: 65_552, limit: 65_535))
  }

  @Test func `a key never shows its bytes`() throws {
    let key = try #require(someKey)
    var dumped = ""
    dump(LinkKey(peer: .speaker, kind: 8, key: key, pinLength: 0), to: &dumped)
    for text in ["\(key)", String(reflecting: key), dumped] {
      #expect(!text.contains("506097522914230528"), "a half of it as a number")
      #expect(!text.uppercased().contains("0706050403020100"))
    }
    #expect(digits(key.bytes) == digits(hex(keyDigits)))
    #expect(SecretKey(hex("00")) == nil)
  }

  @Test func `a peer is public or random as its address`() {
    let address = BluetoothAddress(value: 1)
    #expect(ManagementPeer(PeerAddress(address, .public)).kind == .lePublic)
    #expect(ManagementPeer(PeerAddress(address, .random)).peer == PeerAddress(address, .random))
    #expect(ManagementPeer.speaker.peer == nil)
  }
}
