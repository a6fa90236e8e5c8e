import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// Orders that the headphone carries out some time later.
@Suite struct BoseProtocolTests {
  @Test func `a Bose's mode is asked for until it is in force`() throws {
    var proto = BoseProtocol(on: SerialService.serialPort)
    _ = proto.questions()
    for frame in ["00 01 03 05 31 2e 31 2e 30", "1f 03 03 01 00"] {
      _ = proto.receive(recorded(frame))
    }
    let exchanges = try proto.exchanges(for: .setANC(.transparency))
    #expect(
      exchanges.map(\.values) == [[recorded("1f 03 05 02 01 00")], [recorded("1f 03 01 00")]])
    #expect(exchanges.last?.attempts == 6)
    // Announced; still the old one; the new one.
    #expect(proto.receive(recorded("1f 03 07 00")).response == exchanges.first?.response)
    #expect(proto.receive(recorded("1f 03 03 01 00")).response == nil)
    let last = proto.receive(recorded("1f 03 03 01 01"))
    #expect(
      last.response == exchanges.last?.response && last.events == [.ancChanged(.transparency)])
    #expect(try proto.accepted(.setANC(.transparency)).isEmpty)
    // An error ends the wait.
    _ = try proto.exchanges(for: .setANC(.noiseCancelling))
    _ = proto.receive(recorded("1f 03 04 01 05"))
    #expect(proto.receive(recorded("1f 03 03 01 01")).response == exchanges.last?.response)
    #expect(throws: HeadphoneError.refused(.notPermitted)) {
      try proto.accepted(.setANC(.noiseCancelling))
    }
  }
}
