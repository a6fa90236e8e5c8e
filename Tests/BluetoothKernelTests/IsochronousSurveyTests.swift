import BluetoothCodec
import Testing

@testable import BluetoothKernel

@Suite struct IsochronousSurveyTests {
  @Test func `LE 2M is there in both directions, or not`() {
    let rest: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
    #expect(IsochronousSurvey.hasDoubleRate(in: ([0x00, 0x1E, 0, 0] + rest)[...]) == true)
    #expect(IsochronousSurvey.hasDoubleRate(in: ([0xFF, 0x07, 0, 0] + rest)[...]) == false)
    #expect(IsochronousSurvey.hasDoubleRate(in: ([0x00, 0x0E, 0, 0] + rest)[...]) == false)
    #expect(IsochronousSurvey.hasDoubleRate(in: [0x00, 0x1E]) == nil)
  }

  /// 6fbaf188-05e0-496a-9885-d6ddfdb4e03e, as the kernel sends it.
  private static let feature: [UInt8] = [
    0x3E, 0xE0, 0xB4, 0xFD, 0xDD, 0xD6, 0x85, 0x98, 0x6A, 0x49, 0xE0, 0x05, 0x88, 0xF1, 0xBA, 0x6F,
  ]

  @Test func `the reply with the feature on`() throws {
    let reply: [UInt8] =
      [0x01, 0x00, 0xFF, 0xFF, 0x19, 0x00, 0x49, 0x00, 0x00, 0x01, 0x00] + Self.feature
      + [0x01, 0x00, 0x00, 0x00]
    let packet = try ManagementEventPacket(decoding: reply[...])
    guard
      case .commandComplete(.readExperimentalFeatures, .success, .other(let list)) = packet.event
    else { return #expect(Bool(false)) }
    #expect(IsochronousSurvey.feature(in: list) == .on)
  }

  @Test func `lists without it, with it off, and cut`() {
    let other = [UInt8](repeating: 7, count: 16) + [1, 0, 0, 0]
    #expect(IsochronousSurvey.feature(in: [0, 0]) == .missing)
    #expect(IsochronousSurvey.feature(in: ([1, 0] + other)[...]) == .missing)
    #expect(
      IsochronousSurvey.feature(in: ([2, 0] + other + Self.feature + [0, 0, 0, 0])[...]) == .off)
    #expect(IsochronousSurvey.feature(in: ([2, 0] + other + Self.feature)[...]) == nil)
    #expect(IsochronousSurvey.feature(in: [1]) == nil)
  }
}
