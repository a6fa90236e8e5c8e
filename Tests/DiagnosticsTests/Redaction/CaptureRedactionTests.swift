import BluetoothCodec
import Companion
import Diagnostics
import TestSupport
import Testing

/// What a redacted capture holds, packet by packet; F0:F1:F2:F3:F4:F5 is the address to be hidden.
@Suite struct CaptureRedactionTests {
  private static let address: [UInt8] = [0xF5, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0]
  /// C0:00:00:00:00:01, for it stays a random static one.
  private static let other: [UInt8] = [0x01, 0x00, 0x00, 0x00, 0x00, 0xC0]
  private static let key = [UInt8](1...16)
  private static let zeros = [UInt8](repeating: 0, count: 16)
  private static let name = Array("Anna's Buds".utf8)
  private static let pseudonym = Array("name1......".utf8)

  private static func redacted(_ packets: [[UInt8]]) -> [[UInt8]] {
    var redaction = CaptureRedaction()
    return packets.map { packet in
      let isSent = packet.first == 2 && packet[2] == 0
      let record = BtsnoopRecord(
        uart: packet[...], isReceived: !isSent, time: BtsnoopTime(microseconds: 7))
      let redacted = redaction.redact(record, of: .uart)
      #expect(redacted.time == record.time && redacted.flags == record.flags)
      #expect(redacted.originalLength == record.originalLength)
      return Array(redacted.data)
    }
  }

  /// An event of LE: connection complete with this peer.
  private static func connection(_ peer: [UInt8]) -> [UInt8] {
    [0x04, 0x3E, 19, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01] + peer + [24, 0, 0, 0, 42, 0, 0]
  }

  private static func data(_ channel: UInt8, _ pdu: [UInt8]) -> [UInt8] {
    [0x02, 0x40, 0x20, UInt8(pdu.count + 4), 0, UInt8(pdu.count), 0, channel, 0] + pdu
  }

  private static func attribute(_ pdu: [UInt8]) -> [UInt8] { data(4, pdu) }
  private static func pairing(_ pdu: [UInt8]) -> [UInt8] { data(6, pdu) }

  private struct Example {
    var packet: [UInt8]
    var expected: [UInt8]

    init(_ packet: [UInt8], _ expected: [UInt8]) {
      self.packet = packet
      self.expected = expected
    }
  }

  @Test func `addresses and keys of commands and events go, and nothing else`() {
    let nines = [UInt8](repeating: 9, count: 8)
    let encryption: [UInt8] = [0x01, 0x19, 0x20, 28, 0x40, 0] + nines
    let creation: [UInt8] = [0x01, 0x0D, 0x20, 25, 96, 0, 96, 0, 0, 1]
    let report: [UInt8] = [0x04, 0x3E, 37, 0x02, 1, 0, 1]
    let flags: [UInt8] = [25, 2, 1, 6, 12, 9]
    let maker: [UInt8] = [8, 0xFF, 0xFF, 0xFF]
    for example in [
      Example(Self.connection(Self.address), Self.connection(Self.other)),
      Example(creation + Self.address + nines, creation + Self.other + nines),
      Example(encryption + [1, 2] + Self.key, encryption + [0, 0] + Self.zeros),
      Example(
        [0x01, 0x1A, 0x20, 18, 0x40, 0] + Self.key, [0x01, 0x1A, 0x20, 18, 0x40, 0] + Self.zeros),
      Example(
        [0x01, 0x0B, 0x04, 22] + Self.address + Self.key,
        [0x01, 0x0B, 0x04, 22] + Self.other + Self.zeros),
      Example(
        [0x04, 0x18, 23] + Self.address + Self.key + [4],
        [0x04, 0x18, 23] + Self.other + Self.zeros + [4]),
      Example(
        [0x04, 0x0E, 10, 1, 0x09, 0x10, 0] + Self.address,
        [0x04, 0x0E, 10, 1, 0x09, 0x10, 0] + Self.other),
      Example(
        report + Self.address + flags + Self.name + maker + [1, 2, 3, 4, 5, 0xC5],
        report + Self.other + flags + Self.pseudonym + maker + [0, 0, 0, 0, 0, 0xC5]),
    ] {
      #expect(Self.redacted([example.packet]) == [example.expected])
    }
  }

  @Test func `keys of pairing and texts of values go, and nothing else`() {
    for example in [
      Example(Self.pairing([0x06] + Self.key), Self.pairing([0x06] + Self.zeros)),
      Example(Self.pairing([0x08] + Self.key), Self.pairing([0x08] + Self.zeros)),
      Example(Self.pairing([0x09, 1] + Self.address), Self.pairing([0x09, 1] + Self.other)),
      Example(Self.pairing([1, 3, 0, 5, 16, 1, 1]), Self.pairing([1, 3, 0, 5, 16, 1, 1])),
      Example(Self.attribute([0x0B] + Self.name), Self.attribute([0x0B] + Self.pseudonym)),
      Example(
        Self.attribute([0x0B] + Array("1.4.2".utf8)), Self.attribute([0x0B] + Array("1.4.2".utf8))
      ),
      // Nor does what stands between them make a name of numbers.
      Example(
        Self.attribute([0x0B] + Array("1.4_2^".utf8)),
        Self.attribute([0x0B] + Array("1.4_2^".utf8))),
      // Beside bytes that are no text.
      Example(
        Self.attribute([0x1B, 3, 0, 0xFF] + Self.name + [0xC3, 1, 0xE2]),
        Self.attribute([0x1B, 3, 0, 0xFF] + Self.pseudonym + [0xC3, 1, 0xE2])),
      Example(
        Self.attribute([0x0B] + Array("Zoë".utf8) + Array("’s".utf8)),
        Self.attribute([0x0B] + Array("name1...".utf8))),
      // The code of a broadcast.
      Example(
        Self.attribute([0x12, 3, 0, 4, 1] + Array("abcd".utf8) + Array(repeating: 0, count: 12)),
        Self.attribute([0x12, 3, 0, 4, 1] + Array(repeating: 0, count: 16))),
      Example(Self.attribute([0x1B, 0x10, 0, 84]), Self.attribute([0x1B, 0x10, 0, 84])),
      Example(
        Self.attribute([0x0B] + Array("00012345".utf8)),
        Self.attribute([0x0B] + Array("name1...".utf8))),
    ] {
      #expect(Self.redacted([example.packet]) == [example.expected])
    }
  }

  @Test func `an address is the same other one wherever it stands, in either order`() {
    let packets = Self.redacted([
      Self.connection(Self.address), Self.attribute([0x1B, 3, 0] + Self.address.reversed()),
      Self.connection([1, 2, 3, 4, 5, 6]), Self.connection(Self.address),
    ])
    #expect(packets[0] == packets[3])
    #expect(packets[1] == Self.attribute([0x1B, 3, 0] + Self.other.reversed()))
    #expect(packets[2] == Self.connection([2, 0, 0, 0, 0, 0]))
  }

  @Test func `declarations keep their types, values read by type do not`() {
    let declaration = Self.attribute([0x09, 21, 2, 0, 2, 3, 0] + Array("ABCDEFGHIJKLMNOP".utf8))
    let packets = Self.redacted([
      Self.attribute([0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28]), declaration,
      Self.attribute([0x08, 1, 0, 0xFF, 0xFF, 0x00, 0x2A]),
      Self.attribute([0x09, 13, 3, 0] + Self.name),
    ])
    #expect(packets[1] == declaration)
    #expect(packets[3] == Self.attribute([0x09, 13, 3, 0] + Self.pseudonym))
  }

  @Test func `a packet of the control service keeps a right sum`() {
    let body: [UInt8] = [0xA5, 1, 0x20, 3, 0, 11] + Self.name
    let packets = Self.redacted([Self.attribute([0x52, 9, 0] + body + [body.reduce(0, &+)])])
    let value = packets[0].dropFirst(12)
    #expect(value.dropFirst(6).dropLast().elementsEqual(Self.pseudonym))
    #expect(value.last == value.dropLast().reduce(0, &+))
  }

  @Test func `the kernel's notes lose addresses and keys`() {
    var redaction = CaptureRedaction()
    func redact(_ opcode: MonitorOpcode, _ packet: [UInt8]) -> [UInt8] {
      let record = BtsnoopRecord(
        monitor: opcode, controller: 0, packet: packet[...], time: .unixEpoch)
      return Array(redaction.redact(record, of: .monitor).data)
    }
    #expect(
      redact(.newIndex, [0, 1] + Self.address + Array("hci0".utf8))
        == [0, 1] + Self.other + Array("hci0".utf8))
    #expect(
      redact(.controlCommand, [1, 0, 0, 0, 0x13, 0] + Self.key)
        == [1, 0, 0, 0, 0x13, 0] + Self.zeros)
    #expect(
      redact(.event, [0x18, 23] + Self.address + Self.key + [4])
        == [0x18, 23] + Self.other + Self.zeros + [4])
  }

  @Test func `what is known before is found where nothing tells what it is`() {
    let known = KnownHeadphone(
      id: HeadphoneID(rawValue: "f0f1f2f3f4f5"), name: "Anna",
      address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random))
    var redaction = CaptureRedaction(Pseudonyms(known: [known]))
    let packet = Self.data(0x45, Self.address + Array("Anna".utf8))
    let record = BtsnoopRecord(uart: packet[...], isReceived: true, time: .unixEpoch)
    let redacted = redaction.redact(record, of: .uart)
    #expect(redacted.data.elementsEqual(Self.data(0x45, Self.other + Array("ame1".utf8))))
  }

  @Test func `voices and music are erased, their headers are not`() {
    let sound = Array("sound that was heard, and is nobody's business".utf8)
    let silence = [UInt8](repeating: 0, count: sound.count)
    let rtp: [UInt8] = [0x80, 0x60, 0, 7, 0, 0, 0, 9, 0, 0, 0, 1]
    let connections = ([0x41, 0x42] as [UInt8]).flatMap { cid -> [[UInt8]] in
      var request = Self.data(1, [2, 1, 4, 0, 0x19, 0, cid, 0])
      request[2] = 0
      return [request, Self.data(1, [3, 1, 8, 0, cid + 0x10, 0, cid, 0, 0, 0, 0, 0])]
    }
    func fragment(_ content: [UInt8]) -> [UInt8] {
      [0x02, 0x40, 0x10, UInt8(content.count), 0] + content
    }
    let voices: [[UInt8]] = [
      [0x03, 0x41, 0, 46], [0x05, 0x41, 0x20, 50, 0, 1, 0, 46, 0], [0x05, 0x41, 0x10, 46, 0],
    ]
    for header in voices { #expect(Self.redacted([header + sound]) == [header + silence]) }
    // A channel that was up before, by its header.
    #expect(
      Self.redacted([Self.data(0x60, rtp + sound), fragment(sound)])
        == [Self.data(0x60, rtp + silence), fragment(silence)])
    // The keys of pairing, too.
    let pairing = Self.redacted([Self.pairing([0x0C] + Self.key), fragment(Self.key)])
    #expect(pairing == [Self.pairing([0x0C] + Self.zeros), fragment(Self.zeros)])
    let later = Self.data(0x42, Array("any header.., ".utf8) + sound)
    let redacted = Self.redacted(connections + [later])
    #expect(redacted.prefix(4).elementsEqual(connections))
    #expect(redacted.last?.dropFirst(21).allSatisfy { $0 == 0 } == true)
  }

  /// Audio has texts by chance; the work for a packet must not grow with them.
  @Test func `music on an unknown channel leaves bounded work`() {
    var redaction = CaptureRedaction()
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<3_000 {
      let noise = (0..<120).map { _ in UInt8(0x20 + generator.below(0x60)) }
      let packet = Self.data(0x45, noise)
      let record = BtsnoopRecord(uart: packet[...], isReceived: true, time: .unixEpoch)
      #expect(redaction.redact(record, of: .uart).data.count == packet.count)
    }
    // What chance has found neither is searched for nor keeps a name from being so.
    let texts = Self.redacted([
      Self.attribute([0x0B] + Self.name), Self.attribute([0x1B, 3, 0] + Self.name),
    ])
    #expect(texts[1].suffix(11).elementsEqual(Self.pseudonym))
  }

  @Test func `cut and senseless packets keep their length and trap nowhere`() {
    var redaction = CaptureRedaction()
    for length in 0..<600 {
      var bytes = (0..<(length % 60)).map { _ in UInt8.random(in: 0...255) }
      if let first = bytes.indices.first { bytes[first] = UInt8(length % 6) }
      for datalink in [BtsnoopDatalink.uart, .monitor, .unencapsulated] {
        let record = BtsnoopRecord(
          originalLength: UInt32(bytes.count), flags: UInt32(length % 20), time: .unixEpoch,
          data: bytes[...])
        #expect(redaction.redact(record, of: datalink).data.count == bytes.count)
      }
    }
  }

  @Test func `a capture and a report name a headphone in the same way`() {
    let known = KnownHeadphone(
      id: HeadphoneID(rawValue: "f0f1f2f3f4f5"), name: "Anna's Buds",
      address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random))
    let pseudonyms = Pseudonyms(known: [known])
    let capture = CaptureRedaction(pseudonyms).filter
    var report = TextRedaction(pseudonyms) { _ in nil }
    let packet = Self.connection(Self.address)
    let record = BtsnoopRecord(uart: packet[...], isReceived: true, time: .unixEpoch)
    #expect(capture(record, .uart).data.elementsEqual(Self.connection(Self.other)))
    #expect(report.redact("F0:F1:F2:F3:F4:F5, Anna's Buds") == "C0:00:00:00:00:01, name1......")
  }
}
