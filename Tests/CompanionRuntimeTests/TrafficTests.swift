import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

@Suite struct `A PDU in the log` {
  private func displayText(_ pdu: [UInt8], isSent: Bool) -> TrafficDescription {
    TrafficDescription(pdu[...], isSent: isSent)
  }

  @Test func `of a command tells its number, sequence and length`() {
    let packet = HeadphonePacket(command: .setEQ, sequence: 7, payload: [1]).encoded()
    let line = displayText([0x52, 0x22, 0x00] + packet, isSent: true)
    #expect(line.text == "sent Write Command to 0022, command" && line.level == .debug)
    #expect(line.packet.command == 0x20 && line.packet.sequence == 7)
    #expect(line.packet.displayText == "command 20, sequence 7, 11 bytes")
  }

  @Test func `of a refusal tells the error`() {
    let packet = HeadphonePacket(
      command: .setEQ, sequence: 7, flags: [.response, .error], payload: [3]
    ).encoded()
    let line = displayText([0x1B, 0x24, 0x00] + packet, isSent: false)
    #expect(line.text == "heard Handle Value Notification of 0024, response")
    #expect(line.packet.error == HeadphoneStatus(code: 3).displayText)
  }

  @Test func `of an ATT error tells it, but the end of a list is none to look at`() {
    let refused = displayText([0x01, 0x0A, 0x12, 0x00, 0x05], isSent: false)
    #expect(refused.level == .debug && refused.packet.error?.isEmpty == false)
    #expect(displayText([0x01, 0x10, 0x12, 0x00, 0x0A], isSent: false).level == .trace)
  }

  @Test func `of housekeeping is for those who want all`() {
    let line = displayText([0x0A, 0x12, 0x00], isSent: true)
    #expect(line.text == "sent Read Request of 0012" && line.level == .trace)
    #expect(line.packet == PacketDetail(bytes: [0x0A, 0x12, 0x00]))
  }

  @Test func `of another channel is bytes only`() {
    let line = TrafficDescription([0x04, 0x00], isSent: false, isAttributes: false)
    #expect(line.text == "heard" && line.packet.bytes == [4, 0])
  }

  @Test func `of a broadcast's code is without the code`() throws {
    let code = try #require(BroadcastCode("lounge22"))
    let operation = BroadcastScanOperation.setCode(1, code).encoded()
    let sent = displayText([0x12, 0x22, 0x00] + operation, isSent: true)
    #expect(sent.packet.bytes == [0x12, 0x22, 0x00, 0x04, 0x01] + Array(repeating: 0, count: 16))
    let address = PeerAddress(BluetoothAddress(value: 1), .random)
    let state = ReceiveState(
      1, BroadcastSource(address, set: 5, BroadcastID(rawValue: 2)), .on, .badCode, badCode: code)
    for start: [UInt8] in [[0x1B, 0x24, 0x00], [0x0B]] {
      let heard = displayText(start + state.encoded(), isSent: false)
      #expect(heard.packet.bytes.count == start.count + state.encoded().count)
      #expect(!heard.packet.bytes.contains(UInt8(ascii: "l")))
    }
  }

  @Test func `of any bytes is reported`() {
    for first in UInt8.min...UInt8.max {
      for length in 0...12 {
        let pdu = [first] + [UInt8](repeating: 0xA5, count: length)
        for isSent in [true, false] { #expect(!displayText(pdu, isSent: isSent).text.isEmpty) }
      }
    }
    #expect(displayText([], isSent: true).text == "sent")
  }
}
