import BluetoothCodec
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// Values of FFF4 in which events and split packets follow each other.
@Suite struct EventChannelTests {
  /// 30 bytes, whose second and third part of 10 bytes begin like the events 0x01 and 0x03.
  static let packet = HeadphonePacket(
    command: .state, sequence: 9, flags: .response,
    payload: [0, 2, 3, 4, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 3, 1, 1, 1, 1, 1, 1, 1, 1])
  static let parts = stride(from: 0, to: 30, by: 10).map { packet.encoded()[$0..<($0 + 10)] }
  static let anc: Bytes = [0x03, 2]
  static let lid: Bytes = [0x06, 1]

  private func items(_ values: [Bytes]) -> [EventChannel.Item] {
    var channel = EventChannel()
    return values.flatMap { channel.receive($0) }
  }

  @Test func `the example is ambiguous on purpose`() {
    #expect(Self.parts.map(\.first) == [0xA5, 0x01, 0x03])
    #expect(throws: Never.self) { try WireEvent(decoding: Self.parts[1]) }
    #expect(throws: Never.self) { try WireEvent(decoding: Self.parts[2]) }
  }

  @Test func `an event on its own is an event`() {
    #expect(items([Self.anc]) == [.event(.anc(.transparency))])
  }

  @Test func `a packet in one value is a packet`() {
    #expect(items([Self.packet.encoded()[...]]) == [.packet(Self.packet)])
  }

  @Test func `parts that begin like events are joined`() {
    #expect(items(Self.parts) == [.packet(Self.packet)])
  }

  @Test func `events between the parts of a packet are kept`() {
    #expect(
      items([Self.parts[0], Self.anc, Self.parts[1], Self.lid, Self.parts[2], Self.lid])
        == [
          .event(.anc(.transparency)), .event(.caseLid(isOpen: true)), .packet(Self.packet),
          .event(.caseLid(isOpen: true)),
        ])
  }

  @Test func `two packets may share a value`() {
    let stream = Self.packet.encoded() + Self.packet.encoded()
    let values = stride(from: 0, to: 60, by: 20).map { stream[$0..<($0 + 20)] }
    #expect(items(values) == [.packet(Self.packet), .packet(Self.packet)])
  }

  @Test func `what waited for a packet that never ends is given out`() {
    var channel = EventChannel()
    #expect(channel.receive(Self.parts[0]) == [])
    #expect(channel.receive(Self.anc) == [])
    #expect(channel.isWaiting)
    let given = channel.finish()
    #expect(given.first == .event(.anc(.transparency)))
    #expect(given.count == 2)
    #expect(!channel.isWaiting)
    #expect(channel.receive(Self.lid) == [.event(.caseLid(isOpen: true))])
  }

  @Test func `a whole packet ends the wait for the rest of a false one`() {
    var channel = EventChannel()
    let cut: Bytes = [0xA5, 1, 1, 1, 1, 255]
    _ = channel.receive(cut)
    _ = channel.receive(Self.anc)
    let items = channel.receive(Self.packet.encoded()[...])
    #expect(items.first == .event(.anc(.transparency)))
    #expect(items.last == .packet(Self.packet))
    #expect(items.count == 3)
    #expect(!channel.isWaiting)
  }

  @Test func `a flood of events ends the wait`() {
    var channel = EventChannel()
    _ = channel.receive([0xA5, 1, 1, 1, 1, 255])
    var events = 0
    for _ in 0..<200 {
      events += channel.receive(Self.anc).count { $0 == .event(.anc(.transparency)) }
    }
    #expect(events == 200)
  }

  @Test func `garbage is reported with its bytes`() {
    #expect(
      items([[0x55, 1], []]) == [
        .malformed(MalformedBytes("event", at: 0, .unknownType(0x55)), [0x55, 1]),
        .malformed(
          MalformedBytes("event", at: 0, .truncated(needed: 1, available: 0)), []),
      ])
  }

  @Test func `no mutation of values traps`() {
    var generator = SeededGenerator(seed: 3)
    var channel = EventChannel()
    var packets = 0
    for round in 0..<Thoroughness.rounds(20_000, thorough: 100_000) {
      let values: [Bytes] = [
        Self.anc, Self.parts[round % 3], Self.parts[(round + 1) % 3], Self.lid,
      ]
      let value = Array(values[round % 4]).mutated(by: &generator)
      for item in channel.receive(value[...]) {
        if case .packet = item { packets += 1 }
      }
    }
    packets += channel.finish().count
    #expect(packets > 0)
  }
}
