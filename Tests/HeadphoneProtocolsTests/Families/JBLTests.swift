import BluetoothCodec
import Testing

@testable import HeadphoneProtocols

/// What JBL's earbuds must not be believed, and what they are ordered; the recorded frames are in
/// `Bytes/jbl.toml`.
@Suite struct JBLTests {
  private static func language() throws -> any HeadphoneProtocol {
    try #require(HeadphoneFamily(rawValue: "jbl")?.recordedLanguage).opened(JBLProtocol.service)
  }

  @Test(
    arguments: [
      // A heartbeat of another channel; two slots on; a slot of no name; cut off.
      "be 50 00 03 00 00 01 ed",
      "aa 91 07 12 01 01 02 01 03 00", "aa 91 07 12 01 00 04 01 03 00", "aa 91 07 12 01 00",
      "aa 91 03 12 01 00",
    ])
  func `what cannot be is reported as that`(_ string: String) throws {
    var language = try Self.language()
    guard case .malformed? = language.receive(recorded(string)).events.first else {
      Issue.record("it is taken")
      return
    }
    #expect(language.capabilities == Capabilities())
  }

  @Test func `an order names all slots, and only what was reported can be ordered`() throws {
    var language = try Self.language()
    #expect(throws: HeadphoneError.self) { try language.exchanges(for: .setANC(.off)) }
    _ = language.receive(recorded("aa 91 07 12 01 00 02 01 03 00"))
    let order = try language.exchanges(for: .setANC(.noiseCancelling)).flatMap(\.values)
    #expect(order == [recorded("aa 91 07 10 01 01 02 00 03 00"), recorded("aa 91 01 11")])
    #expect(throws: HeadphoneError.self) { try language.accepted(.setANC(.noiseCancelling)) }
  }
}
