import BluetoothCodec
import HeadphoneProtocols
import Testing

/// The custom equaliser in the published layout, with IEEE 754 numbers.
@Suite struct NothingGainsTests {
  /// Mid 1 dB at 980 Hz, treble -2 dB at 3400 Hz, bass 3 dB at 140 Hz.
  private static let reported = """
    03 00 00 40 c0 01 00 00 80 3f 00 00 75 44 33 33 33 3f 02 00 00 00 c0 00 80 54 45 00 00 80 3f
    00 00 00 40 40 00 00 0c 43 cd cc 4c 3f
    """
  private static let ordered = reported + " 00 00 00 00 00 00 00 00 00"

  private var gains: NothingGains {
    NothingGains([
      .init(filter: 1, gain: 1, frequency: 980, quality: 0.7),
      .init(filter: 2, gain: -2, frequency: 3400, quality: 1),
      .init(filter: 0, gain: 3, frequency: 140, quality: 0.8),
    ])
  }

  @Test func `the layout is read and written`() throws {
    #expect(try NothingGains(decoding: recorded(Self.reported)) == gains)
    #expect(try NothingGains(decoding: recorded(Self.ordered)) == gains)
    #expect(gains.encoded()[...] == recorded(Self.ordered))
    #expect(gains.encoded().count == 53)
  }

  @Test func `bands are reported from low to high, in whatever order they come`() {
    #expect(gains.centres == [140, 980, 3400])
    #expect(gains.gains.map(\.halfDecibels) == [6, 2, -4])
    let changed = gains.with([1, 0, -1].compactMap { BandGain(halfDecibels: $0) })
    #expect(changed.bands.map(\.gain) == [0, -0.5, 0.5])
    #expect(changed.bands.map(\.frequency) == [980, 3400, 140])
  }

  @Test func `the gain of all makes room for the highest band, and never adds`() {
    let low = NothingGains([.init(filter: 1, gain: -4, frequency: 980, quality: 0.7)])
    #expect(low.encoded()[1...4].allSatisfy { $0 & 0x7F == 0 })
    #expect(gains.encoded()[1...4] == [0, 0, 0x40, 0xC0])
  }

  @Test(arguments: [
    "", "00 00 00 00 00", "03 00 00 40 c0 01 00 00 80 3f", "ff 00 00 00 00",
    // Not a number, a gain of 7 dB, and 0 Hz.
    "01 00 00 00 00 01 00 00 c0 7f 00 00 75 44 33 33 33 3f",
    "01 00 00 00 00 01 00 00 e0 40 00 00 75 44 33 33 33 3f",
    "01 00 00 00 00 01 00 00 80 3f 00 00 00 00 33 33 33 3f",
  ])
  func `what is cut, or no gain, is refused`(_ bytes: String) {
    #expect(throws: MalformedBytes.self) { try NothingGains(decoding: recorded(bytes)) }
  }
}
