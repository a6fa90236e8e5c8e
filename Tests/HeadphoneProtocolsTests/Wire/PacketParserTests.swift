import BluetoothCodec
import HeadphoneProtocols
import TestSupport
import Testing

/// Packets as the bytes of docs/protocol.md section 5, in streams divided anywhere.
@Suite struct PacketParserTests {
  /// Ping 7 with one byte: the sum of A5 01 02 07 00 01 2A is DA.
  static let ping: [UInt8] = [0xA5, 0x01, 0x02, 0x07, 0x00, 0x01, 0x2A, 0xDA]
  static let response: [UInt8] = HeadphonePacket(
    command: .ping, sequence: 7, flags: .response, payload: [0, 0xA5, 0xA5, 0x01]
  ).encoded()
  static let longest: [UInt8] = HeadphonePacket(
    command: .ping, sequence: 255, payload: Array(repeating: 0xA5, count: 255)[...]
  ).encoded()

  @Test func `a packet has the document's bytes`() {
    let packet = HeadphonePacket(command: .ping, sequence: 7, payload: [0x2A])
    #expect(packet.encoded() == Self.ping)
    #expect(packets(of: Self.ping) == [packet])
  }

  @Test(arguments: [ping, response, longest])
  func `byte by byte gives the same packet`(bytes: [UInt8]) {
    var parser = PacketParser()
    for byte in bytes.dropLast() {
      #expect(parser.receive([byte]) == [])
      #expect(parser.isWaiting)
    }
    let items = parser.receive(bytes.suffix(1))
    #expect(items == packets(of: bytes).map { .packet($0) })
    #expect(items.count == 1)
    #expect(!parser.isWaiting)
  }

  @Test func `many packets in one value come in order`() {
    let stream = Self.ping + Self.longest + Self.response + Self.ping
    #expect(packets(of: stream).map(\.sequence) == [7, 255, 7, 7])
  }

  @Test(arguments: 1...9)
  func `portions of any size give the same packets`(size: Int) {
    let stream = Self.response + Self.ping + Self.longest + Self.ping
    var parser = PacketParser()
    var found: [PacketParser.Item] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      found += parser.receive(stream[start..<min(start + size, stream.count)])
    }
    #expect(found == packets(of: stream).map { .packet($0) })
    #expect(found.count == 4)
  }

  @Test func `garbage is skipped and reported`() {
    let garbage: [UInt8] = [0x00, 0xFF, 0x03]
    var parser = PacketParser()
    let items = parser.receive((garbage + Self.ping + [0x11])[...])
    #expect(items.first == .skipped(garbage[...]))
    #expect(items.last == .skipped([0x11]))
    #expect(items.count == 3)
  }

  @Test func `a wrong sum costs only that packet`() {
    var broken = Self.ping
    broken[6] ^= 1
    #expect(packets(of: broken + Self.ping).count == 1)
  }

  @Test func `a packet hidden behind a false beginning is found`() {
    // The false header promises 3 bytes of payload and thereby reaches into the real packet.
    #expect(packets(of: [0xA5, 0x01, 0x02, 0x07, 0x00, 0x03] + Self.ping + Self.ping).count == 2)
  }

  @Test func `giving up finds the packet behind a beginning that never ends`() {
    var parser = PacketParser()
    let cut: [UInt8] = [0xA5, 0x01, 0x01, 0x01, 0x00, 0xFF]
    #expect(parser.receive((cut + Self.ping)[...]) == [])
    #expect(parser.finish().last == packets(of: Self.ping).first.map { .packet($0) })
    #expect(!parser.isWaiting)
  }

  @Test func `a long payload travels as fragments`() throws {
    let payload = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
    let parts = HeadphonePacket.fragments(.ping, sequence: 3, payload: payload[...])
    #expect(parts.map(\.payload.count) == [255, 255, 90])
    #expect(parts.map { $0.flags.contains(.moreFollows) } == [true, true, false])
    var joiner = FragmentJoiner()
    #expect(try joiner.receive(parts[0]) == nil)
    #expect(try joiner.receive(parts[1]) == nil)
    #expect(try joiner.receive(parts[2])?.payload.elementsEqual(payload) == true)
  }

  @Test func `fragments without an end are given up`() throws {
    let part = HeadphonePacket(
      command: .ping, sequence: 1, flags: [.response, .moreFollows],
      payload: Array(repeating: 0, count: 255)[...])
    var joiner = FragmentJoiner()
    for _ in 0..<(FragmentJoiner.limit / 255) { #expect(try joiner.receive(part) == nil) }
    #expect(throws: MalformedBytes.self) { try joiner.receive(part) }
    #expect(try joiner.receive(HeadphonePacket(command: .ping, sequence: 1))?.payload == [])
  }

  @Test func `no mutation of a stream traps`() {
    var generator = SeededGenerator(seed: 2)
    var found = 0
    for _ in 0..<100_000 {
      var parser = PacketParser()
      let bytes = (Self.ping + Self.response).mutated(by: &generator)
      let cut = Int.random(in: 0...bytes.count, using: &generator)
      let items = parser.receive(bytes[..<cut]) + parser.receive(bytes[cut...]) + parser.finish()
      #expect(items.reduce(0) { $0 + length(of: $1) } == bytes.count)
      found += items.count { if case .packet = $0 { true } else { false } }
    }
    #expect(found > 20_000)
  }

  private func length(of item: PacketParser.Item) -> Int {
    switch item {
    case .packet(let packet): packet.encoded().count
    case .skipped(let bytes): bytes.count
    }
  }

  private func packets(of stream: [UInt8]) -> [HeadphonePacket] {
    var parser = PacketParser()
    return parser.receive(stream[...]).compactMap {
      if case .packet(let packet) = $0 { packet } else { nil }
    }
  }
}
