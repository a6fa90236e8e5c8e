import Companion
import Testing

@Suite struct MomentTests {
  @Test(
    arguments: [
      (0, 0, "1970-01-01"), (951_782_400_000, 0, "2000-02-29"), (951_868_799_999, 0, "2000-02-29"),
      (1_795_269_802_000, 0, "2026-11-21"), (1_798_761_599_999, 0, "2026-12-31"),
      (1_798_761_599_999, 3600, "2027-01-01"), (4_107_542_400_000, 0, "2100-03-01"),
      (-1, 0, "1969-12-31"), (0, -3600, "1969-12-31"),
    ] as [(Int64, Int32, String)])
  func `the day is the local one`(milliseconds: Int64, offset: Int32, day: String) {
    #expect(Timestamp(milliseconds: milliseconds, utcOffset: offset).date == day)
  }
}
