import BluetoothCodec
import HeadphoneProtocols
import TestSupport
import Testing

/// Messages from Google's specification; "made" ones follow its layout.
@Suite struct FastPairMessageTests {
  static let messages: [(String, FastPairMessage)] = [
    ("03 01 00 03 aa bb cc", FastPairMessage(.model, [0xAA, 0xBB, 0xCC])),
    ("03 03 00 03 57 41 7f", FastPairMessage(.battery, [0x57, 0x41, 0x7F])),
    ("04 01 00 02 01 3c", FastPairMessage(.ring, [0x01, 0x3C])),
    ("ff 01 00 04 04 01 01 3c", FastPairMessage(.acknowledgement, [0x04, 0x01, 0x01, 0x3C])),
    ("ff 01 00 02 04 01", FastPairMessage(.acknowledgement, [0x04, 0x01])),
    ("ff 02 00 04 01 04 01 00", FastPairMessage(.refusal, [0x01, 0x04, 0x01, 0x00])),
    // Made: a version, and a request without data.
    ("03 09 00 05 33 2e 31 2e 34", FastPairMessage(.firmware, Array("3.1.4".utf8))),
    ("03 05 00 00", FastPairMessage(FastPairMessage.Kind(rawValue: 0x0305))),
  ]

  @Test(arguments: messages)
  func `a message is read and written as it is printed`(
    _ bytes: String, _ message: FastPairMessage
  ) throws {
    #expect(try FastPairMessage(decoding: recorded(bytes)) == message)
    #expect(message.encoded()[...] == recorded(bytes))
  }

  @Test(arguments: messages.map(\.0))
  func `a message that is cut, and one with more behind it, is refused`(_ bytes: String) {
    let whole = recorded(bytes)
    for count in 0..<whole.count {
      #expect(throws: MalformedBytes.self) { try FastPairMessage(decoding: whole.prefix(count)) }
    }
    #expect(throws: MalformedBytes.self) { try FastPairMessage(decoding: whole + [0]) }
  }

  @Test func `the service is the published one`() {
    #expect(FastPairMessage.service.description == "DF21FE2C-2515-4FDB-8886-F12C4D67927C")
  }
}
