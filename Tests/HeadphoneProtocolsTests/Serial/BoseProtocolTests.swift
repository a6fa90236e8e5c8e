import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// Orders that the headphone carries out some time later.
@Suite struct BoseProtocolTests {
  @Test func `a Bose's mode is asked for until it is in force`() throws {
    var language = BoseProtocol(on: SerialService.serialPort)
    _ = language.questions()
    for frame in ["00 01 03 05 31 2e 31 2e 30", "1f 03 03 01 00"] {
      _ = language.receive(recorded(frame))
    }
    let exchanges = try language.exchanges(for: .setANC(.transparency))
    #expect(
      exchanges.map(\.values) == [[recorded("1f 03 05 02 01 00")], [recorded("1f 03 01 00")]])
    #expect(exchanges.last?.attempts == 6)
    // Announced; still the old one; the new one.
    #expect(language.receive(recorded("1f 03 07 00")).answer == exchanges.first?.answer)
    #expect(language.receive(recorded("1f 03 03 01 00")).answer == nil)
    let last = language.receive(recorded("1f 03 03 01 01"))
    #expect(last.answer == exchanges.last?.answer && last.events == [.ancChanged(.transparency)])
    #expect(try language.accepted(.setANC(.transparency)).isEmpty)
    // An error ends the wait.
    _ = try language.exchanges(for: .setANC(.noiseCancelling))
    _ = language.receive(recorded("1f 03 04 01 05"))
    #expect(language.receive(recorded("1f 03 03 01 01")).answer == exchanges.last?.answer)
    #expect(throws: HeadphoneError.refused(.notPermitted)) {
      try language.accepted(.setANC(.noiseCancelling))
    }
  }
}
