import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Testing

@testable import BluetoothKernel

@Suite struct ConnectionListTests {
  /// A headphone in a call: the answer for hci0, from `hci_conn_list_req` and `hci_conn_info` of
  /// the kernel's include/net/bluetooth/hci_sock.h.
  private static let response: [UInt8] = [
    0x00, 0x00, 0x03, 0x00,
    // Handle 0x0001, 00:AA:01:01:00:01, ACL, outgoing, connected, central | auth | encrypt.
    0x01, 0x00, 0x01, 0x00, 0x01, 0x01, 0xAA, 0x00, 0x01, 0x01, 0x01, 0x00, 0x07, 0, 0, 0,
    // Handle 0x0101, the same headphone, eSCO, incoming, connecting.
    0x01, 0x01, 0x01, 0x00, 0x01, 0x01, 0xAA, 0x00, 0x02, 0x00, 0x05, 0x00, 0x00, 0, 0, 0,
    // Handle 0x0040, F0:F1:F2:F3:F4:F5, LE, outgoing, connected, central.
    0x40, 0x00, 0xF5, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0, 0x80, 0x01, 0x01, 0x00, 0x01, 0, 0, 0,
    // Room that the kernel did not use.
    0xFF, 0xFF, 0xFF,
  ]

  @Test func `the links of a headphone are read`() throws {
    let headphone = try #require(BluetoothAddress("00:AA:01:01:00:01"))
    let control = try #require(BluetoothAddress("F0:F1:F2:F3:F4:F5"))
    #expect(
      try RadioLink.decode(Self.response[...]) == [
        RadioLink(
          kind: .acl, address: headphone, state: .connected, handle: 0x0001, isEncrypted: true),
        RadioLink(
          kind: .eSCO, address: headphone, state: .connecting, handle: 0x0101, isEncrypted: false),
        RadioLink(
          kind: .le, address: control, state: .connected, handle: 0x0040, isEncrypted: false),
      ])
  }

  @Test(
    arguments: [
      (0x00, .sco), (0x01, .acl), (0x02, .eSCO), (0x80, .le),
      (0x81, .other(0x81)),
      (0x82, .isochronous), (0x83, .isochronous),
    ] as [(UInt8, RadioLink.Kind)])
  func `every type has its kind`(type: UInt8, kind: RadioLink.Kind) throws {
    var response = Self.response
    response[12] = type
    #expect(try RadioLink.decode(response[...]).first?.kind == kind)
  }

  @Test(
    arguments: [
      (1, .connected), (2, .other(2)), (5, .connecting), (6, .connecting),
      (7, .connecting), (8, .disconnecting), (9, .disconnecting),
    ] as [(UInt8, RadioLink.State)])
  func `every state is named`(number: UInt8, state: RadioLink.State) throws {
    var response = Self.response
    response[14] = number
    #expect(try RadioLink.decode(response[...]).first?.state == state)
  }

  @Test func `every answer that ends early is malformed`() {
    for length in 0..<52 {
      #expect(throws: MalformedBytes.self) { try RadioLink.decode(Self.response.prefix(length)) }
    }
  }

  @Test func `a slice is read from its own start`() throws {
    let shifted = [0xAB] + Self.response
    #expect(try RadioLink.decode(shifted.dropFirst()) == RadioLink.decode(Self.response[...]))
  }

  @Test(arguments: ["", "hci", "hciX", "hci-1", "virtual", "hci70000"])
  func `what is no adapters name is no adapter`(name: String) {
    #expect(throws: RadioError.noAdapter) { try connections(of: name) }
  }
}
