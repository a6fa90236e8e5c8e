import CompanionRuntime
import Testing

@Test func exitCodesAreThoseOfTheDocument() {
  #expect(ExitStatus.refused.rawValue == 6)
}
