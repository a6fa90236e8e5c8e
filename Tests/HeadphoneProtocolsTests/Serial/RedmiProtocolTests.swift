import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

@Suite struct RedmiProtocolTests {
  @Test(arguments: [
    (
      "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00",
      "bc a5 90 5b c8 49 39 2e 7b f9 fd cd c5 70 ef 77"
    ),
    (
      "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f",
      "87 13 91 3c 41 43 4e 09 1c ad 79 4a 1b 5d 95 c4"
    ),
  ])
  func `a challenge is answered by the published cipher`(_ challenge: String, _ response: String) {
    #expect(RedmiCipher.response(to: recorded(challenge)) == Array(recorded(response)))
    #expect(RedmiCipher.response(to: recorded(challenge).dropLast()) == nil)
  }

  @Test func `a wrong answer is none of the family, and reports are answered by their number`() {
    var proto = RedmiProtocol(on: RedmiProtocol.service)
    _ = proto.questions()
    let wrong = RedmiFrame(.response, 0x50, sequence: 1, [1] + Array(repeating: 0, count: 16))
    guard case .malformed? = proto.receive(wrong.encoded()[...]).events.first else {
      Issue.record("it is taken")
      return
    }
    #expect(!proto.isRecognised && proto.furtherQuestions().isEmpty)
    let report = proto.receive(recorded("fe dc ba c7 0e 00 06 09 04 00 e4 63 ff ef"))
    #expect(report.reply == Array(recorded("fe dc ba 04 0e 00 02 00 09 ef")))
  }
}
