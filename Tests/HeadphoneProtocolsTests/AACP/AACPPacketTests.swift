import BluetoothCodec
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// Packets that public projects recorded from AirPods or contain in tests and documents; "made"
/// ones follow the layout.
@Suite struct AACPPacketTests {
  struct Recorded: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: String
    var packet: AACPPacket

    init(_ title: String, _ bytes: String, _ packet: AACPPacket) {
      testDescription = title
      self.bytes = bytes
      self.packet = packet
    }
  }

  static let metadata = """
    04 00 04 00 1d 00 02 d5 00 04 00 41 69 72 50 6f 64 73 20 50 72 6f 00 41 33 30 34 38 00 41 70 70
    6c 65 20 49 6e 63 2e 00 51 58 4e 52 48 59 58 50 36 00 36 31 2e 31 38 36 38 30 34 30 30 30 32 30
    30 30 30 30 30 2e 32 37 31 33 00
    """

  static let packets = [
    Recorded("handshake", "00 00 04 00 01 00 02 00 00 00 00 00 00 00 00 00", .handshake),
    Recorded(
      "features", "04 00 04 00 4d 00 ff 00 00 00 00 00 00 00",
      .message(opcode: 0x4D, [0xFF, 0, 0, 0, 0, 0, 0, 0])),
    Recorded(
      "request notifications", "04 00 04 00 0f 00 ff ff ff ff",
      .message(opcode: 0x0F, [0xFF, 0xFF, 0xFF, 0xFF])),
    Recorded(
      "transparency", "04 00 04 00 09 00 0d 03 00 00 00", .message(opcode: 9, [0x0D, 3, 0, 0, 0])),
    Recorded("off", "04 00 04 00 09 00 0d 01 00 00 00", .message(opcode: 9, [0x0D, 1, 0, 0, 0])),
    Recorded(
      "adaptive", "04 00 04 00 09 00 0d 04 00 00 00", .message(opcode: 9, [0x0D, 4, 0, 0, 0])),
    Recorded(
      "cancelling", "04 00 04 00 09 00 0d 02 00 00 00", .message(opcode: 9, [0x0D, 2, 0, 0, 0])),
    Recorded(
      "primary in ear, secondary out (made)", "04 00 04 00 06 00 00 01",
      .message(opcode: 6, [0, 1])),
    Recorded(
      "adaptive strength 50", "04 00 04 00 09 00 2e 32 00 00 00",
      .message(opcode: 9, [0x2E, 50, 0, 0, 0])),
    Recorded("metadata", metadata, .message(opcode: 0x1D, recorded(metadata).dropFirst(6))),
    Recorded(
      "battery, cut", "04 00 04 00 04 00 04 01 00 50 02 00",
      .message(opcode: 4, [4, 1, 0, 0x50, 2, 0])),
  ]

  @Test(arguments: packets)
  func `a recorded packet is read and written as it was`(_ recorded: Recorded) throws {
    let bytes = HeadphoneProtocolsTests.recorded(recorded.bytes)
    let packet = try AACPPacket(decoding: bytes)
    #expect(packet == recorded.packet)
    #expect(packet.encoded() == Array(bytes))
  }

  @Test(arguments: [
    (3, AACPControl(.noiseControl, 3)), (4, AACPControl(.noiseControl, 1)),
    (5, AACPControl(.noiseControl, 4)), (6, AACPControl(.noiseControl, 2)),
    (8, AACPControl(.adaptiveStrength, 50)),
  ])
  func `a control is read and written as it was recorded`(
    _ index: Int, _ control: AACPControl
  ) throws {
    let data = recorded(Self.packets[index].bytes).dropFirst(6)
    #expect(try AACPControl(decoding: data) == control)
    #expect(control.encoded() == Array(data))
  }

  @Test func `metadata are texts one after the other`() throws {
    let reported = try AACPMetadata(decoding: recorded(Self.metadata).dropFirst(6))
    #expect(
      reported
        == AACPMetadata(
          name: "AirPods Pro", model: "A3048", manufacturer: "Apple Inc.", serial: "QXNRHYXP6",
          firmware: "61.1868040002000000.2713"))
    #expect(try AACPMetadata(decoding: reported.encoded()[...]) == reported)
  }

  @Test func `batteries are reported in their order, and one that is not there has no level`()
    throws
  {
    let bytes = recorded("03 02 01 64 02 01 04 01 ff 04 01 08 01 11 01 01")
    let battery = try AACPBattery(decoding: bytes)
    #expect(
      battery.entries == [
        .init(.right, 100, .discharging), .init(.left, 0xFF, .disconnected),
        .init(.case, 17, .charging),
      ])
    #expect(battery.encoded() == Array(bytes))
  }

  @Test(arguments: [
    "", "04", "04 00", "04 00 04", "04 00 05 00 04 00", "02 00 04 00 04 00", "04 00 04 00 04",
    // Half a handshake, and one with other bytes.
    "00 00 04 00 01 00 02 00", "00 00 04 00 02 00 02 00 00 00 00 00 00 00 00 00",
  ])
  func `what is cut or of another kind is refused`(_ bytes: String) {
    #expect(throws: MalformedBytes.self) { try AACPPacket(decoding: recorded(bytes)) }
  }

  @Test(arguments: ["", "04 01 00 50 02 00", "02 02 01 64 02 01"])
  func `a battery that is cut is refused`(_ bytes: String) {
    #expect(throws: MalformedBytes.self) { try AACPBattery(decoding: recorded(bytes)) }
  }

  @Test func `broken packets give an error or a packet that survives`() throws {
    var generator = SeededGenerator(seed: 0x1001)
    var rejected = 0
    let rounds = Thoroughness.rounds(20_000, thorough: 100_000)
    for round in 0..<rounds {
      let sample = Self.packets[round % Self.packets.count].bytes
      let bytes = Array(recorded(sample)).mutated(by: &generator)
      var proto = AACPProtocol()
      _ = proto.questions()
      for event in proto.receive(bytes[...]).events {
        guard case .batteryChanged(let parts) = event else { continue }
        #expect(parts.values.allSatisfy { ($0.level ?? 0) <= 100 })
      }
      guard let packet = try? AACPPacket(decoding: bytes[...]) else {
        rejected += 1
        continue
      }
      #expect(packet.encoded() == bytes)
    }
    #expect((rounds / 100..<rounds * 99 / 100).contains(rejected))
  }
}
