import Testing

@testable import BluetoothCodec

@Suite struct CapturedTrafficTests {
  @Test(arguments: [
    // SABM and UA of the multiplexer, as every RFCOMM session begins.
    ("033F011C", 0, RFCOMMFrame.Kind.connect, ""), ("037301D7", 0, .accept, ""),
    // Data on channel 9, without and with credits.
    ("4BEF0B1122334455CE", 18, .data, "1122334455"),
    ("4BFF0507AABBD2", 18, .data, "AABB"),
  ])
  func `frames of RFCOMM are read`(
    _ bytes: String, _ connection: UInt8, _ kind: RFCOMMFrame.Kind, _ data: String
  ) throws {
    let frame = try RFCOMMFrame(decoding: hex(bytes))
    #expect(frame.connection == connection && frame.kind == kind && frame.data == hex(data))
    #expect(frame.isCommand)
    if !bytes.hasPrefix("4BFF") { #expect(frame.encoded()[...] == hex(bytes)) }
    for index in 0..<hex(bytes).count where kind != .data {
      var wrong = Array(hex(bytes))
      wrong[index] ^= 0x40
      #expect(throws: MalformedBytes.self) { try RFCOMMFrame(decoding: wrong[...]) }
    }
  }

  @Test(arguments: [0, 1, 127, 128, 255, 256, RFCOMMFrame.longestData])
  func `a frame of any length is read as it was written`(_ count: Int) throws {
    for isCommand in [false, true] {
      let data = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      let frame = RFCOMMFrame(.data, on: 18, isCommand: isCommand, data: data[...])
      #expect(try RFCOMMFrame(decoding: frame.encoded()[...]) == frame)
    }
  }

  @Test func `a device's answer has the channel of its service`() throws {
    let service = try #require(BluetoothUUID("956C7B26-D49A-4BA8-B03F-B17D393CB6E2"))
    var question = ServiceDiscovery.serialServices(transaction: 7)
    let answer = question.response(with: [SerialChannel(number: 9).record(of: service)])
    let records = try #require(try question.receive(answer[...]))
    #expect(SerialChannel(records)?.number == 9)
    #expect(SerialChannel.services(records) == [service])
  }

  @Test(arguments: [
    // The log of a chip: Qualcomm's, and MediaTek's.
    "02 DC2E 0C00 0800 FF00 000F20040100 88BF", "02 FE25 0800 0400 4000 01020304",
    // A fragment without its beginning, a channel that cannot be, a PDU shorter than the packet.
    "02 0B10 0800 0400 4000 01020304", "02 0B20 0800 0400 2000 01020304",
    "02 0B20 0800 0100 4000 01020304",
  ])
  func `what no link sends begins none`(_ bytes: String) {
    var traffic = CapturedTraffic()
    traffic.receive(
      BtsnoopRecord(uart: hex(bytes), isReceived: true, time: .unixEpoch), of: .uart)
    #expect(traffic.links.isEmpty && traffic.channels.isEmpty && traffic.packets == 1)
  }

  @Test func `sound is what later channels of its protocol carry`() {
    func signals(_ identifier: UInt8, _ cid: UInt8) -> [(Bytes, Bool)] {
      [
        ([2, identifier, 4, 0, 0x19, 0, cid, 0], false),
        ([3, identifier, 8, 0, cid + 0x10, 0, cid, 0, 0, 0, 0, 0], true),
      ]
    }
    var channels = ConnectedChannels()
    for (signal, isReceived) in signals(1, 0x40) + signals(2, 0x41) {
      channels.receive(signals: signal, isReceived: isReceived)
    }
    #expect(channels.psm(of: 0x50, isReceived: false) == 0x19)
    #expect(!channels.isSound(0x50, isReceived: false) && !channels.isSound(0x40, isReceived: true))
    #expect(channels.isSound(0x51, isReceived: false) && channels.isSound(0x41, isReceived: true))
    channels.receive(signals: [6, 3, 4, 0, 0x51, 0, 0x41, 0], isReceived: false)
    #expect(!channels.isSound(0x51, isReceived: false) && !channels.isSound(0x41, isReceived: true))
    #expect(channels.psm(of: 0x51, isReceived: false) == nil)
  }

  /// Returns the capture of L2CAP PDUs on one link.
  private func traffic(
    _ pdus: [(isReceived: Bool, channel: UInt16, bytes: String)], fragment: Int = 1000
  ) throws -> CapturedTraffic {
    var traffic = CapturedTraffic()
    let link = ClassicLink(
      connection: 11, peer: BluetoothAddress(value: 0x3C22_FB00_0001), kind: .acl)
    let event = HCIPacket.event(.connectionComplete(.success, link, isEncrypted: true))
    traffic.receive(
      BtsnoopRecord(uart: try event.encoded()[...], isReceived: true, time: .unixEpoch), of: .uart)
    for pdu in pdus {
      let content = hex(pdu.bytes)
      var frame: [UInt8] = []
      frame.append(littleEndian: UInt16(content.count))
      frame.append(littleEndian: pdu.channel)
      frame += content
      for start in stride(from: 0, to: frame.count, by: fragment) {
        let packet = HCIPacket.acl(
          ACLPacket(
            connection: 11, boundary: start > 0 ? 1 : pdu.isReceived ? 2 : 0,
            data: frame[start..<min(frame.count, start + fragment)]))
        traffic.receive(
          BtsnoopRecord(
            uart: try packet.encoded()[...], isReceived: pdu.isReceived, time: .unixEpoch),
          of: .uart)
      }
    }
    return traffic
  }

  @Test(arguments: [1000, 5, 1])
  func `a serial channel has its number, its service and its pieces`(_ fragment: Int) throws {
    let service = "956C7B26D49A4BA8B03FB17D393CB6E2"
    // One record: its class, and L2CAP with RFCOMM channel 9.
    let record =
      "3527" + "090001" + "3511" + "1C" + service + "090004" + "350C"
      + "3503190100" + "35051900030809"
    let lists = "3529" + record
    let answer = "070001002E002B" + lists + "00"
    let found = try traffic(
      [
        // Service discovery, then RFCOMM; the phone asks for both.
        (false, 1, "0201040001004000"), (true, 1, "0301080050004000" + "00000000"),
        (true, 0x40, answer),
        (false, 1, "0202040003004100"), (true, 1, "0302080051004100" + "00000000"),
        (false, 0x51, "4BEF0B1122334455CE"), (true, 0x41, "49FF0507AABB08"),
        // Sound, which is none of a protocol.
        (false, 1, "0203040019004200"), (true, 1, "0303080052004200" + "00000000"),
        (false, 0x52, "00112233445566778899"),
      ], fragment: fragment)
    let channel = try #require(found.channels.first)
    #expect(found.channels.count == 1 && channel.kind == .serial(9))
    #expect(channel.service == BluetoothUUID("956C7B26-D49A-4BA8-B03F-B17D393CB6E2"))
    #expect(channel.messages.map(\.isReceived) == [false, true])
    #expect(channel.messages.map(\.bytes) == [hex("1122334455"), hex("AABB")])
    #expect(found.links.first?.peer?.kind == .classic)
  }

  @Test func `attributes have their types from the discovery in the capture`() throws {
    let found = try traffic([
      (false, 4, "1001 00FF FF00 28"), (true, 4, "11 06 0100 0500 90FD"),
      (false, 4, "0801 00FF FF03 28"), (true, 4, "09 07 0200 0C 0300 9AFD"),
      (false, 4, "52 0300 0102"), (true, 4, "1B 0300 0304"),
      (false, 4, "0A 0300"), (true, 4, "0B 07"), (true, 4, "0B 08"),
    ])
    let channel = try #require(found.channels.first)
    #expect(found.channels.count == 1 && channel.kind == .attribute(3))
    #expect(channel.service == .bit16(0xFD90) && channel.characteristic == .bit16(0xFD9A))
    // A response without a request is nothing's value.
    #expect(channel.messages.map(\.bytes) == [hex("0102"), hex("0304"), hex("07")])
  }

  @Test func `records of each datalink have their packet`() throws {
    let packet = hex("0B20 0800 0400 4000 01020304")
    let uart = BtsnoopRecord(uart: [2] + packet, isReceived: true, time: .unixEpoch)
    var bare = uart
    bare.data = packet
    let monitor = BtsnoopRecord(
      monitor: .aclReceived, controller: 0, packet: packet, time: .unixEpoch)
    let packets = [
      uart.packet(of: .uart), bare.packet(of: .unencapsulated), monitor.packet(of: .monitor),
    ]
    for found in packets { #expect(found == packets[0] && found?.isReceived == true) }
    #expect(uart.packet(of: BtsnoopDatalink(rawValue: 9)) == nil)
    var cut = uart
    cut.data = cut.data.prefix(6)
    #expect(cut.isTruncated && cut.packet(of: .uart) == nil)
  }
}
