import Companion
import CompanionRuntime
import Persistence
import TestSupport
import Testing

@Suite struct KnownHeadphoneChoiceTests {
  private let folder = TemporaryFolder()
  private let ear = KnownHeadphone(
    id: HeadphoneID(rawValue: "ear"), name: "Ear",
    address: AirAddress("F0:F1:F2:F3:F4:F5", .random), lastUsed: Timestamp(milliseconds: 5))

  @Test func `one is forgotten by the beginning of its name`() throws {
    let known = KnownHeadphones(in: folder.state)
    try known.remember(ear)
    #expect(throws: CommandError.notKnown(selector: "bud")) { try known.forget(matching: "bud") }
    #expect(try known.forget(matching: "EAR") == ear)
    #expect(try known.all() == [])
  }
}
