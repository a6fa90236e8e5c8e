import BluetoothCodec
import Testing

@Suite struct ATTErrorCodeTests {
  @Test(arguments: [
    (ATTErrorCode.invalidHandle, "Invalid Handle"),
    (.insufficientAuthentication, "Insufficient Authentication"),
    (.databaseOutOfSync, "Database Out Of Sync"),
    (.valueNotAllowed, "Value Not Allowed"),
    (.writeRequestRejected, "Write Request Rejected"),
    (.outOfRange, "Out of Range"),
    (ATTErrorCode(rawValue: 0x00), "Reserved Error"),
    (ATTErrorCode(rawValue: 0x14), "Reserved Error"),
    (ATTErrorCode(rawValue: 0x80), "Application Error"),
    (ATTErrorCode(rawValue: 0x9F), "Application Error"),
    (ATTErrorCode(rawValue: 0xA0), "Reserved Error"),
    (ATTErrorCode(rawValue: 0xE0), "Reserved Profile Error"),
    (ATTErrorCode(rawValue: 0xFB), "Reserved Profile Error"),
  ])
  func `a code has the name of its specification`(_ code: ATTErrorCode, _ name: String) {
    #expect(code.name == name)
  }

  @Test func `every code of the specification has its own name and advice`() {
    let codes =
      (0x01...0x13).map { ATTErrorCode(rawValue: $0) }
      + (0xFC...0xFF).map { ATTErrorCode(rawValue: $0) }
    #expect(Set(codes.map(\.name)).count == codes.count)
    for code in codes {
      #expect(!code.name.contains("Reserved"))
      #expect(!code.advice.hasSuffix("."))
    }
  }

  @Test func `a response reads as a sentence`() {
    #expect(
      ATTErrorResponse(opcode: .readRequest, handle: 3, code: .invalidHandle).description
        == "Read Request at handle 0x0003: Invalid Handle (0x01)")
    #expect(
      ATTErrorResponse(opcode: 0x3F, handle: 0, code: ATTErrorCode(rawValue: 0x8A)).description
        == "ATT opcode 0x3F at handle 0x0000: Application Error (0x8A)")
  }
}
