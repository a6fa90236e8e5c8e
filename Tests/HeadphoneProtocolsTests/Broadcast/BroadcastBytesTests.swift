import BluetoothCodec
import BluetoothRadio
import Testing
import VirtualHeadphones

@testable import HeadphoneProtocols

private let b69F2 = PeerAddress(BluetoothAddress(value: 0xC007_E88B_69F2), .public)
private let e122 = PeerAddress(BluetoothAddress(value: 0xE122_3344_5566), .random)
private let plain = BroadcastSource(b69F2, set: 0, BroadcastID(rawValue: 0x001234))
private let random = BroadcastSource(e122, set: 5, BroadcastID(rawValue: 0xABCDEF))
private let media: [UInt8] = [0x03, 0x02, 0x04, 0x00]

private func code(_ text: String) throws -> BroadcastCode { try #require(BroadcastCode(text)) }

@Suite struct BroadcastAnnouncementTests {
  @Test(arguments: [("34 12 00", 0x001234), ("ef cd ab", 0xABCDEF)] as [(String, UInt32)])
  func `broadcast announcements`(_ bytes: String, _ number: UInt32) throws {
    #expect(try BroadcastID(announcement: recorded(bytes)).rawValue == number)
    #expect(BroadcastID(rawValue: number).encoded() == Array(recorded(bytes)))
  }

  @Test func `a broadcast announcement may be longer, and not shorter`() throws {
    #expect(try BroadcastID(announcement: recorded("34 12 00 ff")).displayText == "001234")
    #expect(throws: MalformedBytes.self) { try BroadcastID(announcement: recorded("34 12")) }
  }

  @Test(
    arguments: [
      ("02 00", PublicBroadcastAnnouncement(.standardQuality)),
      (
        "05 09 08 03 47 61 74 65 20 31 32",
        PublicBroadcastAnnouncement(
          [.encrypted, .highQuality], [AudioMetadata(0x03, Array("Gate 12".utf8))])
      ),
      (
        "06 03 02 08 01",
        PublicBroadcastAnnouncement(
          [.standardQuality, .highQuality], [AudioMetadata(0x08, [0x01])])
      ),
    ] as [(String, PublicBroadcastAnnouncement)])
  func `public broadcast announcements`(
    _ bytes: String, _ announcement: PublicBroadcastAnnouncement
  ) throws {
    #expect(try PublicBroadcastAnnouncement(decoding: recorded(bytes)) == announcement)
    #expect(announcement.encoded() == Array(recorded(bytes)))
  }

  @Test(arguments: ["", "02", "02 05 02 08 01"])
  func `public broadcast announcements that cannot be`(_ bytes: String) {
    #expect(throws: MalformedBytes.self) {
      try PublicBroadcastAnnouncement(decoding: recorded(bytes))
    }
  }

  @Test func `metadata that ends too early ends the list`() {
    let list = AudioMetadata.list(recorded("04 04 64 65 75 02 08 00 01 09 00 03 03"))
    #expect(list.map(\.type) == [0x04, 0x08, 0x09])
    #expect(list.language == "deu" && list.hasSound == false && list.programme == nil)
    #expect(AudioMetadata.list(recorded("09 03 41")).isEmpty)
    #expect(list.encoded() == Array(recorded("04 04 64 65 75 02 08 00 01 09")))
  }

  @Test func `a whole advertisement`() throws {
    let data = try AdvertisingData(
      decoding: recorded(
        "06 16 52 18 ef cd ab 0e 16 56 18 05 09 08 03 47 61 74 65 20 31 32 "
          + "08 30 47 61 74 65 20 31 32"))
    let broadcast = try #require(Broadcast(data, at: e122, set: 5, interval: 0x50, rssi: -60))
    #expect(broadcast.id.rawValue == 0xABCDEF && broadcast.set == 5 && broadcast.interval == 0x50)
    #expect(broadcast.name == "Gate 12" && broadcast.programme == "Gate 12")
    #expect(broadcast.isLocked == true && broadcast.rssi == -60)
  }

  @Test(
    arguments: [
      ("0a 30 4b 69 6e 6f 20 53 c3 bc 64", "Kino Süd"),
      // An escape sequence, and an override of the direction.
      ("07 30 1b 5b 32 4a 41 42", "\u{FFFD}[2JAB"),
      ("08 30 e2 80 ae 6f 6c 6c 61", "\u{FFFD}olla"),
      // Without a name of a broadcast that of the device stands.
      ("03 09 48 69", "Hi"),
      ("02 30 20 03 09 48 69", "Hi"),
    ])
  func `names are safe to show`(_ structure: String, _ name: String) throws {
    let data = try AdvertisingData(decoding: recorded("06 16 52 18 34 12 00 " + structure))
    #expect(try #require(Broadcast(data, at: e122)).title == name)
  }

  @Test func `one without a name has its identity, and other devices are none`() throws {
    let data = try AdvertisingData(decoding: recorded("06 16 52 18 34 12 00"))
    let broadcast = try #require(Broadcast(data, at: b69F2))
    #expect(broadcast.title == "broadcast 001234")
    #expect(broadcast.isLocked == nil && broadcast.set == nil && broadcast.interval == nil)
    let other = try AdvertisingData(decoding: recorded("05 16 56 18 02 00"))
    #expect(Broadcast(other, at: b69F2) == nil)
  }
}

@Suite struct BroadcastScanOperationTests {
  @Test(
    arguments: [
      ("00", .scanStopped), ("01", .scanStarted),
      (
        "02 00 f2 69 8b e8 07 c0 00 34 12 00 02 ff ff 01 ff ff ff ff 00",
        .addSource(plain, .scan, interval: 0xFFFF, [BroadcastSubgroup(BroadcastSubgroup.any)])
      ),
      (
        "02 01 66 55 44 33 22 e1 05 ef cd ab 01 50 00 02 03 00 00 00 04 03 02 04 00 00 00 00 00 00",
        .addSource(
          random, .transfer, interval: 0x50, [BroadcastSubgroup(0b11, media), BroadcastSubgroup(0)])
      ),
      (
        "03 01 00 ff ff 01 00 00 00 00 00",
        .modifySource(1, .off, interval: 0xFFFF, [BroadcastSubgroup(0)])
      ),
      (
        "03 01 02 50 00 01 01 00 00 00 00",
        .modifySource(1, .scan, interval: 0x50, [BroadcastSubgroup(1)])
      ),
      ("05 01", .removeSource(1)), ("05 00", .removeSource(0)),
    ] as [(String, BroadcastScanOperation)])
  func `operations`(_ bytes: String, _ operation: BroadcastScanOperation) throws {
    #expect(try BroadcastScanOperation(decoding: recorded(bytes)) == operation)
    #expect(operation.encoded() == Array(recorded(bytes)))
  }

  @Test(
    arguments: [
      ("04 01 61 75 72 61 63 61 73 74 00 00 00 00 00 00 00 00", "auracast"),
      ("04 01 69 3c 45 72 68 55 26 61 34 65 59 70 73 27 54 55", "i<ErhU&a4eYps'TU"),
      ("04 01 42 c3 b8 72 6e 65 20 48 6f 75 73 65 00 00 00 00", "Børne House"),
    ])
  func `codes`(_ bytes: String, _ text: String) throws {
    let operation = BroadcastScanOperation.setCode(1, try code(text))
    #expect(try BroadcastScanOperation(decoding: recorded(bytes)) == operation)
    #expect(operation.encoded() == Array(recorded(bytes)))
  }

  @Test func `a code is in no description`() throws {
    let secret = try code("lounge22")
    let command = BroadcastScanOperation.setCode(1, secret)
    var text = "\(secret) \(command)"
    debugPrint(secret, command, to: &text)
    dump(command, to: &text)
    #expect(!text.contains("lounge") && !text.contains("108"))
    #expect(BroadcastCode("abc") == nil && BroadcastCode("seventeen letters") == nil)
    #expect(BroadcastCode("four") != nil && BroadcastCode("sixteen letters.") != nil)
  }

  @Test(
    arguments: [
      ("ff", .unknownType(0xFF)), ("05 00 8f 13", .trailing(count: 2)),
      ("00 6d fe", .trailing(count: 2)),
      // A synchronisation that does not exist.
      (
        "02 00 f2 69 8b e8 07 c0 00 34 12 00 06 10 27 02 00 00 00 00 00 00 00 00 00 00",
        .badValue(6)
      ),
      ("02 02 f2 69 8b e8 07 c0 00 34 12 00 02 ff ff 01 ff ff ff ff 00", .badValue(2)),
      ("02 ff f2 69 8b e8 07 c0 00 34 12 00 02 ff ff 01 ff ff ff ff 00", .badValue(0xFF)),
      ("02 00 f2 69 8b e8 07 c0 10 34 12 00 02 ff ff 01 ff ff ff ff 00", .badValue(0x10)),
      // A stream without the periodic advertising, and one in two subgroups.
      ("03 01 00 ff ff 01 01 00 00 00 00", .badValue(1)),
      ("03 01 02 ff ff 02 01 00 00 00 00 03 00 00 00 00", .badValue(3)),
    ] as [(String, MalformedBytes.Reason)])
  func `operations that cannot be`(_ bytes: String, _ reason: MalformedBytes.Reason) {
    let error = #expect(throws: MalformedBytes.self) {
      try BroadcastScanOperation(decoding: recorded(bytes))
    }
    #expect(error?.reason == reason)
  }
}

@Suite struct ReceiveStateTests {
  @Test(
    arguments: [
      (
        "01 00 f2 69 8b e8 07 c0 00 34 12 00 00 00 01 00 00 00 00 00",
        ReceiveState(1, plain, .off, .none, [BroadcastSubgroup(0)])
      ),
      (
        "01 00 f2 69 8b e8 07 c0 00 34 12 00 02 00 01 01 00 00 00 00",
        ReceiveState(1, plain, .on, .none, [BroadcastSubgroup(1)])
      ),
      (
        "01 01 66 55 44 33 22 e1 05 ef cd ab 02 01 02 00 00 00 00 04 03 02 04 00 00 00 00 00 00",
        ReceiveState(
          1, random, .on, .codeRequired, [BroadcastSubgroup(0, media), BroadcastSubgroup(0)])
      ),
      (
        "01 01 66 55 44 33 22 e1 05 ef cd ab 02 03 77 72 6f 6e 67 63 6f 64 65 00 00 00 00 00 00 00 "
          + "01 ff ff ff ff 00",
        ReceiveState(
          1, random, .on, .badCode, badCode: BroadcastCode("wrongcode"),
          [BroadcastSubgroup(BroadcastSubgroup.any)])
      ),
      (
        "02 01 66 55 44 33 22 e1 05 ef cd ab 02 02 01 03 00 00 00 04 03 02 04 00",
        ReceiveState(2, random, .on, .decrypting, [BroadcastSubgroup(0b11, media)])
      ),
      (
        "02 01 66 55 44 33 22 e1 05 ef cd ab 03 00 01 00 00 00 00 00",
        ReceiveState(2, random, .failed, .none, [BroadcastSubgroup(0)])
      ),
      (
        "01 01 66 55 44 33 22 e1 05 ef cd ab 01 00 01 00 00 00 00 00",
        ReceiveState(1, random, .wantsTransfer, .none, [BroadcastSubgroup(0)])
      ),
      (
        "01 01 66 55 44 33 22 e1 05 ef cd ab 04 00 00",
        ReceiveState(1, random, .noTransfer, .none, [])
      ),
    ] as [(String, ReceiveState)])
  func `states`(_ bytes: String, _ state: ReceiveState) throws {
    #expect(try ReceiveState.decode(recorded(bytes)) == state)
    #expect(state.encoded() == Array(recorded(bytes)))
  }

  @Test func `no source has no bytes`() throws { #expect(try ReceiveState.decode([]) == nil) }

  @Test func `a value that is cut off anywhere is not mistaken for a whole one`() {
    let whole = recorded(
      "01 01 66 55 44 33 22 e1 05 ef cd ab 02 01 02 00 00 00 00 04 03 02 04 00 00 00 00 00 00")
    for count in 1..<whole.count {
      #expect(throws: MalformedBytes.self) { try ReceiveState.decode(whole.prefix(count)) }
    }
  }

  @Test func `playing is a stream, not the periodic advertising`() {
    let playing = ReceiveState(1, plain, .off, .none, [BroadcastSubgroup(0b10)])
    #expect(playing.isPlaying && playing.isActive && !playing.hasNoStreams)
    let failed = ReceiveState(1, plain, .on, .none, [BroadcastSubgroup(BroadcastSubgroup.any)])
    #expect(!failed.isPlaying && failed.isActive && failed.hasNoStreams)
    #expect(!ReceiveState(1, plain, .failed).isActive)
  }
}
