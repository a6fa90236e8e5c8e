import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import TestSupport
import Testing

@testable import BluetoothKernel

@Suite struct HostileAirTests {
  /// Two legacy reports in one event, then an extended one, as received from the socket.
  private static let packets: [[UInt8]] = [
    [
      0x04, 0x3E, 0x22, 0x02, 0x02, 0x00, 0x01, 0xF5, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0, 0x07, 0x03,
      0x02, 0xF0, 0xFF, 0x02, 0x01, 0x06, 0xCE, 0x04, 0x01, 0xF5, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0,
      0x05, 0x04, 0x09, 0x42, 0x75, 0x64, 0xCE,
    ],
    [
      0x04, 0x3E, 0x21, 0x0D, 0x01, 0x01, 0x00, 0x01, 0xF5, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0, 0x01,
      0x01, 0x00, 0x00, 0xCE, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07, 0x03,
      0x02, 0xF0, 0xFF, 0x02, 0x01, 0x06,
    ],
  ]

  @Test(arguments: 0..<2) func `a mutated report is received or named malformed`(which: Int) {
    var random = SeededGenerator(seed: UInt64(which))
    var story = ScanStory.scanning()
    var peers = PeerTable(ScanOptions())
    var received = 0
    var malformed = 0
    for _ in 0..<50_000 {
      do {
        let bytes = Self.packets[which].mutated(by: &random)
        let packet = try HCIPacket(decoding: bytes[...])
        for case .received(let report) in story.procedure.receive(packet, at: .zero) {
          _ = peers.receive(report, at: .zero) { _ in malformed += 1 }
          received += 1
        }
      } catch {
        malformed += 1
      }
    }
    #expect(received > 1000)
    #expect(malformed > 1000)
    #expect(peers.count <= PeerTable.limit)
    #expect(story.procedure.isOver == false)
  }
}
