import BluetoothCodec
import TestSupport
import Testing

@Suite struct SerialChannelTests {
  private static let service = BluetoothUUID(
    high: 0xDF21_FE2C_2515_4FDB, low: 0x8886_F12C_4D67_927C)
  /// The protocols: L2CAP, then RFCOMM on channel 5.
  private static let protocols: [UInt8] = [
    0x35, 0x0C, 0x35, 0x03, 0x19, 0x01, 0x00, 0x35, 0x05, 0x19, 0x00, 0x03, 0x08, 0x05,
  ]

  /// Returns a device's response with one record of this attribute.
  private static func response(_ value: [UInt8]) -> [UInt8] {
    let record: [UInt8] = [0x09, 0x00, 0x04] + value
    let list = [0x35, UInt8(record.count)] + record
    let lists = [0x35, UInt8(list.count)] + list
    let count = UInt8(lists.count)
    return [0x07, 0x00, 0x01, 0x00, count + 3, 0x00, count] + lists + [0x00]
  }

  private static func channel(_ value: [UInt8]) throws -> SerialChannel? {
    SerialChannel(try ServiceDiscovery.records(in: response(value)))
  }

  @Test func `the question names the service and its protocols`() {
    #expect(
      ServiceDiscovery.channel(for: Self.service, transaction: 1).request == [
        0x06, 0x00, 0x01, 0x00, 0x1D,
        0x36, 0x00, 0x11, 0x1C, 0xDF, 0x21, 0xFE, 0x2C, 0x25, 0x15, 0x4F, 0xDB,
        0x88, 0x86, 0xF1, 0x2C, 0x4D, 0x67, 0x92, 0x7C, 0x02, 0x00,
        0x36, 0x00, 0x03, 0x09, 0x00, 0x04, 0x00,
      ])
  }

  @Test func `services on serial channels are told from others`() {
    let serial: SDPElement = .sequence([
      .sequence([.uuid(.bit16(0x0100))]),
      .sequence([.uuid(.bit16(0x0003)), .unsigned(9)]),
    ])
    let records: ServiceDiscovery.Records = [
      [0x0001: .sequence([.uuid(Self.service)]), 0x0004: serial],
      [0x0001: .sequence([.uuid(.bit16(0x110B))]), 0x0004: .sequence([])],
      [0x0004: serial], [0x0001: .unsigned(1), 0x0004: serial],
    ]
    #expect(SerialChannel.services(records) == [Self.service])
  }

  @Test func `the answer tells the channel`() throws {
    #expect(try Self.channel(Self.protocols)?.number == 5)
  }

  @Test func `a UUID means the same in its long form`() throws {
    let long: [UInt8] = [
      0x35, 0x15, 0x35, 0x13, 0x1C, 0x00, 0x00, 0x00, 0x03, 0x00, 0x00, 0x10, 0x00, 0x80, 0x00,
      0x00, 0x80, 0x5F, 0x9B, 0x34, 0xFB, 0x08, 0x05,
    ]
    #expect(try Self.channel(long)?.number == 5)
  }

  @Test func `no record, another protocol and a channel that cannot be are none`() throws {
    #expect(SerialChannel([]) == nil)
    for channel: UInt8 in [0, 31, 255] {
      #expect(try Self.channel(Self.protocols.dropLast() + [channel]) == nil)
    }
    #expect(try Self.channel([0x35, 0x05, 0x35, 0x03, 0x19, 0x01, 0x00]) == nil)
    #expect(try Self.channel([0x08, 0x05]) == nil)
  }

  @Test func `broken answers give an error or a channel`() {
    var generator = SeededGenerator(seed: 0x5C4A)
    for _ in 0..<20_000 {
      let bytes = Self.response(Self.protocols).mutated(by: &generator)
      guard let records = try? ServiceDiscovery.records(in: bytes) else { continue }
      if let channel = SerialChannel(records) { #expect((1...30).contains(channel.number)) }
    }
  }
}
