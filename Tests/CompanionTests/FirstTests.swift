import Companion
import Testing

@Test func identitiesAreOrderedByTheirText() {
  #expect(HeadphoneID(rawValue: "a") < HeadphoneID(rawValue: "b"))
}
