import Companion
import Glibc
import Testing

@testable import Persistence

@Suite struct WallClockTests {
  /// The time zone belongs to the process, so the test needs another one.
  @Test func `a change of the time zone is noticed`() async {
    await #expect(processExitsWith: .success) {
      for (zone, offset) in [("UTC0", 0), ("Here-5", 18_000), ("There8", -28_800)]
        as [(String, Int32)]
      {
        setenv("TZ", zone, 1)
        #expect(Timestamp.now.utcOffset == offset)
      }
    }
  }
}
