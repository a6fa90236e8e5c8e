import BluetoothCodec
import Diagnostics
import TestSupport
import Testing

@testable import HeadphoneProtocols

/// Framings found in captures, with the family hidden.
@Suite struct CaptureFindingsTests {
  /// Returns a capture with one channel that was up before it began.
  ///
  /// - Parameter filter: changes each record.
  private static func traffic(
    _ pieces: [(isReceived: Bool, bytes: [UInt8])],
    filter: (BtsnoopRecord, BtsnoopDatalink) -> BtsnoopRecord = { record, _ in record }
  ) -> CapturedTraffic {
    var traffic = CapturedTraffic()
    for (number, piece) in pieces.enumerated() {
      var pdu: [UInt8] = []
      pdu.append(littleEndian: UInt16(piece.bytes.count))
      pdu.append(littleEndian: UInt16(0x0040))
      let packet = HCIPacket.acl(
        ACLPacket(
          connection: 1, boundary: piece.isReceived ? 2 : 0, data: (pdu + piece.bytes)[...]))
      guard let bytes = try? packet.encoded() else { continue }
      let record = BtsnoopRecord(
        uart: bytes[...], isReceived: piece.isReceived,
        time: BtsnoopTime(microsecondsSince1970: Int64(number) * 250_000))
      traffic.receive(filter(record, .uart), of: .uart)
    }
    return traffic
  }

  private static let families = HeadphoneFamily.allCases.filter { $0.recordedProtocol != nil }

  @Test(arguments: families)
  func `the strings of a family lead to its framing`(_ family: HeadphoneFamily) throws {
    let strings = try RecordedString.all(of: family).filter { !$0.isBroken }
    let traffic = Self.traffic(strings.map { ($0.isFromHeadphone, $0.frame) })
    let channel = try #require(CaptureFindings(in: traffic).channels.first)
    let framing = try #require(channel.framings.first)
    // One protocol of a chip's maker is spoken by several families.
    let frame = try #require(family.frame)
    let expected = Self.families.filter { $0.frame == frame }.map(\.rawValue)
    #expect(framing.name.map { expected.contains($0) } == true, "\(channel.framings)")
    #expect(framing.share >= 90 && framing.frames >= 2)
    #expect(channel.messages.allSatisfy { $0.bytes.count > 0 })
  }

  @Test(arguments: families)
  func `redacted strings have the framing and the frames of before`(
    _ family: HeadphoneFamily
  ) throws {
    let pieces = try Conversation.everything(of: family).flatMap(\.items)
      .filter { $0.foreign == nil }.map { ($0.isFromHeadphone, $0.bytes) }
    let before = CaptureFindings(in: Self.traffic(pieces)).channels.map(\.framings)
    let redacted = Self.traffic(pieces, filter: CaptureRedaction().filter)
    let after = CaptureFindings(in: redacted).channels.map(\.framings)
    #expect(after.map { $0.map(\.name) } == before.map { $0.map(\.name) })
    #expect(after.first?.first?.frames == before.first?.first?.frames)
    #expect(before.first?.first?.name != nil)
  }

  @Test(arguments: [0, 3])
  func `frames of Oppo whose length has two bytes lead to its framing`(_ short: Int) throws {
    var pieces: [(isReceived: Bool, bytes: [UInt8])] = []
    for number in 0..<UInt8(6) {
      let count = number < short ? 20 : 130 + 9 * Int(number)
      let list = [0, 5] + (0..<count).map { UInt8($0 & 0x7F) &+ number }
      pieces.append((false, OppoFrame(0x0109, sequence: number).encoded()))
      pieces.append((true, OppoFrame(0x8109, sequence: number, payload: list[...]).encoded()))
    }
    let channel = try #require(CaptureFindings(in: Self.traffic(pieces)).channels.first)
    let framing = try #require(channel.framings.first)
    #expect(framing.name == "oppo" && framing.frames == 12 && framing.share == 100, "\(framing)")
  }

  @Test func `a frame with other content is as long as before, and right`() throws {
    var generator = SeededGenerator(seed: 11)
    for format in KnownFraming.all.flatMap(\.formats) {
      var unchanged = 0
      for _ in 0..<200 {
        // Few values, so that many of them are escaped ones.
        let values = Array("<=>}~.".utf8)
        let content = (0..<(9 + generator.below(30))).map { place in
          place < 8 ? 0 : place == 8 ? 0x2E : values[generator.below(values.count)]
        }
        let frame = format.frame(around: content)
        let changed = format.frame(frame[...]) { $0.map { $0 > 0x20 ? UInt8(ascii: "n") : $0 } }
        guard let changed else {
          unchanged += 1
          continue
        }
        #expect(changed.count == frame.count)
        #expect(throws: Never.self) { try format.content(of: changed[...], "frame") }
      }
      // A checksum of four bytes of which two are escaped is hard to meet again.
      #expect(unchanged < 3, "\(format.layout)")
    }
  }

  @Test func `random bytes have no framing`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      let pieces = (0..<40).map { number in
        let count = 4 + generator.below(20)
        return (number % 2 == 0, (0..<count).map { _ in UInt8(generator.below(256)) })
      }
      #expect(CaptureFindings(in: Self.traffic(pieces)).channels.first?.framings == [])
    }
  }

  @Test(arguments: [
    FrameFormat(
      marker: [0xC3], length: .init(at: 1, adding: 3), check: .sum(includesMarker: true),
      longest: 64),
    FrameFormat(
      marker: [0x10, 0x20], length: .init(at: 0, width: 2, isBigEndian: true, adding: 4),
      check: .xmodem(skipping: 2, isBigEndian: false), longest: 64),
    FrameFormat(
      marker: [0x77], length: .init(at: 2, width: 2, adding: 0), check: .crc32, longest: 64),
  ])
  func `an unknown framing of a known kind is found`(_ format: FrameFormat) throws {
    let pieces = (0..<12).map { number in
      (number % 2 == 0, format.frame(around: (0..<UInt8(6 + number)).map { $0 &* 37 }))
    }
    let channel = try #require(CaptureFindings(in: Self.traffic(pieces)).channels.first)
    let framing = try #require(channel.framings.first)
    #expect(framing.name == nil && framing.frames == 12 && framing.share == 100)
    let layout = try #require(framing.layouts.first)
    #expect(layout.contains(try #require(format.layout.split(separator: ", ").last)), "\(layout)")
  }

  @Test func `a message says what changed in the one before, and when it came again`() throws {
    func state(_ mode: UInt8) -> [UInt8] {
      SoundcoreFrame(.headphone, 0x0601, [mode, 1, 2][...]).encoded()
    }
    let traffic = Self.traffic([(true, state(0)), (true, state(1)), (true, state(0))])
    let channel = try #require(CaptureFindings(in: traffic).channels.first)
    #expect(channel.messages.map(\.times) == [[0, 0.5], [0.25]])
    #expect(channel.messages.map(\.changed) == [[], [9]])
  }

  @Test func `texts are replaced, and the checksum is right again`() throws {
    func name(_ text: String) -> [UInt8] {
      SoundcoreFrame(.headphone, 0x0B01, Array(text.utf8)[...]).encoded()
    }
    let traffic = Self.traffic([(true, name("Anna's")), (true, name("Berta's buds"))])
    let findings = CaptureFindings(in: traffic).redacted(
      { $0.map { $0 >= 0x61 && $0 < 0x7B ? 0x2E : $0 } }, address: { $0 })
    for message in try #require(findings.channels.first).messages {
      #expect(message.isRedacted, "\(message)")
      #expect(throws: Never.self) { try SoundcoreFrame(decoding: message.bytes) }
    }
  }

  @Test func `mutated captures never trap`() throws {
    var generator = SeededGenerator(seed: 0x5EED)
    let strings = try Self.families.flatMap { try RecordedString.all(of: $0) }
    for _ in 0..<Thoroughness.rounds(60, thorough: 2_000) {
      let pieces = (0..<30).map { _ in
        let string = strings[generator.below(strings.count)]
        return (string.isFromHeadphone, string.frame.mutated(by: &generator))
      }
      for channel in CaptureFindings(in: Self.traffic(pieces)).channels {
        for message in channel.messages {
          #expect(message.changed.allSatisfy { $0 < message.bytes.count })
        }
      }
    }
  }
}
