import BluetoothCodec
import Glibc
import Testing

@testable import BluetoothKernel

@Suite struct `Packet filters` {
  @Test func `a scan for a connection is not woken by reports`() throws {
    let passing: [[UInt8]] = [
      // LE Set Scan Enable and LE Create Connection, their completions, and LE Connection Complete.
      [0x01, 0x0C, 0x20, 0x02, 0x01, 0x00], [0x01, 0x0D, 0x20, 0x19],
      [0x04, 0x0E, 0x04, 0x01, 0x0C, 0x20, 0x00], [0x04, 0x0F, 0x04, 0x00, 0x01, 0x0D, 0x20],
      [0x04, 0x3E, 0x13, 0x01, 0x00], [0x04, 0x3E, 0x1F, 0x0A],
    ]
    let held: [[UInt8]] = [
      // Reports, and commands about other things.
      [0x04, 0x3E, 0x2B, 0x02, 0x01], [0x04, 0x3E, 0x2B, 0x0D, 0x01],
      [0x01, 0x05, 0x14, 0x02, 0x40, 0x00], [0x04, 0x0E, 0x07, 0x01, 0x05, 0x14, 0x00, 0x40, 0x00],
      [0x04, 0x05, 0x04, 0x00, 0x40, 0x00, 0x13], [0x04, 0x3E], [0x01], [],
    ]
    #expect(try ForeignHCICommands.packets.passing(held + passing) == passing)
  }
}

extension PacketFilter {
  /// Returns the packets that pass; the kernel runs a filter on any socket.
  func passing(_ packets: [[UInt8]]) throws -> [[UInt8]] {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    try attach(to: ends[1], during: "test")
    for packet in packets { send(ends[0], packet, packet.count, Int32(MSG_DONTWAIT)) }
    var received: [[UInt8]] = []
    var room = [UInt8](repeating: 0, count: 64)
    while case let count = recv(ends[1], &room, room.count, Int32(MSG_DONTWAIT)),
      count >= 0
    {
      received.append(Array(room[..<count]))
    }
    return received
  }
}
