import BluetoothAttributes
import BluetoothCodec
import TestSupport
import Testing

@Suite struct ServerMutationTests {
  @Test func `no mutation of a request traps or goes unanswered`() {
    var generator = SeededGenerator(seed: 4)
    let exchanges =
      ServerResponseTests.discoveries + ServerResponseTests.readings + ServerResponseTests.writings
    var server = ServerExample.encrypted()
    var responses = 0
    let rounds = Thoroughness.rounds(20_000, thorough: 100_000)
    for round in 0..<rounds {
      if round.isMultiple(of: 1000) {
        server = ServerExample.encrypted()
        _ = server.receive([0x02, UInt8(round / 1000 % 100), 0])
      }
      let request = exchanges[round % exchanges.count].request.mutated(by: &generator)
      let sent = server.receive(request[...]).compactMap { effect -> Bytes? in
        if case .send(let pdu) = effect { pdu } else { nil }
      }
      responses += sent.count
      let opcode = ATTOpcode(rawValue: request.first ?? 0)
      let isRequest =
        !request.isEmpty && !opcode.isCommand && opcode.sender != .server
        && opcode != .confirmation
      if isRequest != (sent.count == 1) || sent.contains(where: { $0.count > server.mtu }) {
        Issue.record("\(request) gave \(sent)")
      }
    }
    #expect(responses > rounds / 2)
  }
}
