import GATT
import Testing

@Test func securityLevelsAreOrdered() {
  #expect(SecurityLevel.low < .medium)
}
