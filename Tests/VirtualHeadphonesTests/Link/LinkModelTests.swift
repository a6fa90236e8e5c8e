import HeadphoneProtocols
import LinkSimulation
import Testing
import VirtualHeadphones

/// The model compared with measurements on a phone: 77,831 bytes in 428 packets of 182.
@Suite struct LinkModelTests {
  static let count = 428

  func send(_ strategy: PlainSending) -> PlainSending.Result {
    strategy.send(count: Self.count, bytes: 182, over: .reference)
  }

  @Test func `with response one packet goes at each interval`() {
    let result = send(.withResponse)
    #expect(result.lost == 0)
    #expect(result.time > .milliseconds(15400) && result.time < .seconds(16))
  }

  @Test func `at 8 ms nothing is lost, at 6 ms half a percent, at 4 ms a third to a half`() {
    #expect(send(.paced(every: .milliseconds(8))).lost == 0)
    let some = Double(send(.paced(every: .milliseconds(6))).lost) / Double(Self.count)
    #expect(some > 0.002 && some < 0.01)
    let many = Double(send(.paced(every: .milliseconds(4))).lost) / Double(Self.count)
    #expect(many > 0.3 && many < 0.5)
  }

  @Test func `the same seed makes the same losses`() {
    var link = LinkModel.Parameters.reference
    link.retransmission = 0.1
    let strategy = PlainSending.paced(every: .milliseconds(6))
    let first = strategy.send(count: Self.count, bytes: 182, over: link)
    #expect(strategy.send(count: Self.count, bytes: 182, over: link) == first)
    link.seed = 2
    #expect(strategy.send(count: Self.count, bytes: 182, over: link) != first)
  }

  @Test func `a value that is longer than a packet takes several`() {
    var link = LinkModel.Parameters.reference
    link.packetLength = 27
    let result = PlainSending.paced(every: .milliseconds(50)).send(
      count: 10, bytes: 182, over: link)
    #expect(result.lost == 0)
    // Seven packets, of which six fit into an event.
    #expect(result.time > .milliseconds(9 * 50 + 36))
  }
}
