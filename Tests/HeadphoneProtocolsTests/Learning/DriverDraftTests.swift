import BluetoothAttributes
import BluetoothCodec
import Configuration
import TestSupport
import Testing
import VirtualHeadphones

@testable import HeadphoneProtocols

/// From a capture to a driver file that reads the battery once the user adds its place.
@Suite struct DriverDraftTests {
  private typealias Piece = (isReceived: Bool, bytes: [UInt8])

  /// Returns the traffic between the maker's program and the headphone.
  private static func conversation() -> [Piece] {
    var headphone = VirtualUnknown(levels: [0xCB, 72, 41])
    func frame(_ number: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
      let head = [0xA7, number, UInt8(payload.count)] + payload
      return head + [head.reduce(0, &+)]
    }
    let requests = [
      frame(0x01), frame(0x02), frame(0x03), frame(0x04), frame(0x13, [2]), frame(0x03),
      frame(0x14, [1]), frame(0x04), frame(0x02),
    ]
    return requests.flatMap { request -> [Piece] in
      [(false, request)] + headphone.respond(to: request[...]).map { (true, $0) }
    }
  }

  /// Returns the findings in a capture of a conversation on one serial channel.
  private static func findings(_ pieces: [Piece]) -> CaptureFindings {
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
      traffic.receive(record, of: .uart)
    }
    return CaptureFindings(in: traffic)
  }

  private static func draft(_ findings: CaptureFindings, service: String?) throws -> String {
    var findings = findings
    for index in findings.channels.indices {
      findings.channels[index].service = service.flatMap { BluetoothUUID($0) }
    }
    return try #require(DriverDraft(findings)).text
  }

  @Test func `a draft is a driver that sends nothing and knows every message`() throws {
    let text = try Self.draft(Self.findings(Self.conversation()), service: "A0E0")
    let (read, mistakes) = DriverTable.read(text.utf8, id: "draft", file: "draft.toml")
    #expect(mistakes == [], "\(text)")
    let table = try #require(read)
    #expect(!table.allowsWriting && table.rows.allSatisfy { !$0.isAsked && $0.command == nil })
    #expect(table.rows.map(\.question) == [0x01, 0x02, 0x03, 0x04, 0x13, 0x14])
    #expect(text.contains("to = \"A7 command length payload\""))
    #expect(text.contains("from = \"A8 command length payload\""))
    #expect(text.contains("check = \"sum\""))
    var proto = try #require(HeadphoneFamily(table).opened(on: .bit16(0xA0E0)))
    #expect(proto.questions() == [] && proto.furtherQuestions() == [] && proto.isRecognised)
    for piece in Self.conversation() where piece.isReceived {
      #expect(proto.events(of: piece.bytes) == [])
    }
  }

  @Test func `requests of one length have the frames of the answers, with a marker of their own`()
    throws
  {
    let reading = Array(Self.conversation().prefix(8))
    #expect(Set(reading.filter { !$0.isReceived }.map(\.bytes.count)).count == 1)
    let findings = Self.findings(reading)
    #expect(findings.channels.map(\.framings.count) == [1])
    let text = try Self.draft(findings, service: "A0E0")
    #expect(text.contains("to = \"A7 command length payload\""))
    #expect(text.contains("from = \"A8 command length payload\""))
    // On GATT, each direction has a characteristic, whose frames are found separately.
    var parted = findings
    parted.channels = [false, true].flatMap { isReceived in
      Self.findings(reading.filter { $0.isReceived == isReceived }).channels.map { channel in
        var channel = channel
        channel.service = .bit16(0xA0E0)
        return channel
      }
    }
    #expect(parted.channels.map(\.framings.count) == [0, 1])
    #expect(try #require(DriverDraft(parted)).text == text)
  }

  @Test func `with the place of the battery and its question it reads the battery`() throws {
    let text = try Self.draft(Self.findings(Self.conversation()), service: "A0E0")
    // What a person does: the comment becomes the question, and the bytes get a meaning.
    let battery = """
      number = 0x02
      # asked with: ask = ""
      # The values in:
      #   CB 48 29
      values = []
      """
    #expect(text.contains(battery), "\(text)")
    let edited = text.replacing(
      battery,
      with: """
        number = 0x02
        ask = ""
        values = [
          { battery = "left", charging-bit = true }, { battery = "right", charging-bit = true },
          { battery = "case", charging-bit = true },
        ]
        """)
    let (read, mistakes) = DriverTable.read(edited.utf8, id: "draft", file: "draft.toml")
    #expect(mistakes == [])
    let table = try #require(read)
    var proto = try #require(HeadphoneFamily(table).opened(on: .bit16(0xA0E0)))
    var headphone = VirtualUnknown(levels: [0xCB, 72, 41])
    let values = proto.questions().flatMap(\.values)
    #expect(values == [[0xA7, 0x02, 0x00, 0xA9]])
    let answers = values.flatMap { headphone.respond(to: $0) }
    #expect(
      answers.flatMap { proto.events(of: $0) }.map(\.words) == [
        "battery left 75 charging, right 72 not charging, case 41 not charging"
      ])
  }

  @Test func `a capture without the discovery of services says what is missing, in its line`()
    throws
  {
    let text = try Self.draft(Self.findings(Self.conversation()), service: nil)
    let (table, mistakes) = DriverTable.read(text.utf8, id: "draft", file: "draft.toml")
    #expect(table == nil)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = lines.firstIndex { $0.hasPrefix("serial = \"\"") }
    #expect(mistakes.first?.line == line.map { $0 + 1 }, "\(mistakes)")
  }

  @Test(arguments: HeadphoneFamily.allCases.filter { $0.recordedProtocol != nil })
  func `a draft of any maker's strings is a file without mistakes`(_ family: HeadphoneFamily) throws
  {
    let pieces = try RecordedString.all(of: family).filter { !$0.isBroken }
      .map { ($0.isFromHeadphone, $0.frame) }
    var findings = Self.findings(pieces)
    for index in findings.channels.indices {
      findings.channels[index].service = .bit16(0xA0E0)
    }
    let draft = DriverDraft(findings)
    // Escapes, lengths of varying width or among other bits, and frames whose checksum is only in
    // one direction are left to Swift.
    let isLeft = ["sony", "oppo", "pixel-buds", "galaxy-buds", "nothing"].contains(family.rawValue)
    #expect((draft == nil) == isLeft)
    guard let draft else { return }
    let (table, mistakes) = DriverTable.read(draft.text.utf8, id: "draft", file: "draft.toml")
    #expect(mistakes == [] && table != nil, "\(draft.text)")
  }
}
