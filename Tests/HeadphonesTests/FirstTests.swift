import Headphones
import Testing

@Test func gainsStayWithinTwelveDecibels() {
  #expect(BandGain(halfDecibels: 25) == nil)
  #expect(BandGain(halfDecibels: -24)?.decibels == -12)
}
