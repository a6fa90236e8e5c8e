import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// Invalid reports of JBL's earbuds, and commands; the recorded frames are in `Bytes/jbl.toml`.
@Suite struct JBLTests {
  private static func proto() throws -> any HeadphoneProtocol {
    try #require(HeadphoneFamily(rawValue: "jbl")?.recordedProtocol).opened(JBLProtocol.service)
  }

  @Test(
    arguments: [
      // A heartbeat of another channel; two slots on; a slot of no name; cut off.
      "be 50 00 03 00 00 01 ed",
      "aa 91 07 12 01 01 02 01 03 00", "aa 91 07 12 01 00 04 01 03 00", "aa 91 07 12 01 00",
      "aa 91 03 12 01 00",
    ])
  func `what cannot be is reported as that`(_ string: String) throws {
    var proto = try Self.proto()
    guard case .malformed? = proto.receive(recorded(string)).events.first else {
      Issue.record("it is taken")
      return
    }
    #expect(proto.capabilities.ancModes.isEmpty)
  }

  @Test func `an order names all slots, and only what was reported can be ordered`() throws {
    var proto = try Self.proto()
    #expect(throws: HeadphoneError.self) { try proto.exchanges(for: .setANC(.off)) }
    _ = proto.receive(recorded("aa 91 07 12 01 00 02 01 03 00"))
    let request = try proto.exchanges(for: .setANC(.noiseCancelling)).flatMap(\.values)
    #expect(request == [recorded("aa 91 07 10 01 01 02 00 03 00"), recorded("aa 91 01 11")])
    #expect(throws: HeadphoneError.self) { try proto.accepted(.setANC(.noiseCancelling)) }
  }
}
