import Companion
import TestSupport
import Testing

@Suite struct `A parametric equaliser's text` {
  private func parse(_ text: String) throws -> ParametricEQ {
    try ParametricEQ(parsing: Array(text.utf8))
  }

  /// A file as AutoEq writes it.
  private static let autoEq = """
    Preamp: -6.2 dB
    Filter 1: ON LSC Fc 105 Hz Gain 6.1 dB Q 0.70
    Filter 2: ON PK Fc 61 Hz Gain -2.8 dB Q 0.40
    Filter 3: OFF PK Fc 130 Hz Gain 9 dB Q 1
    Filter 4: ON HSC Fc 10000 Hz Gain -3.2 dB Q 0.70

    """

  @Test func `is read as AutoEq writes it, without the filters that are off`() throws {
    let curve = try parse(Self.autoEq)
    #expect(curve.preamp == -6.2)
    #expect(
      curve.filters == [
        .init(.lowShelf, frequency: 105, gain: 6.1, width: .quality(0.7)),
        .init(.peak, frequency: 61, gain: -2.8, width: .quality(0.4)),
        .init(.highShelf, frequency: 10_000, gain: -3.2, width: .quality(0.7)),
      ])
    #expect(curve.omissions.isEmpty)
  }

  @Test func `may have a mark of byte order, other line ends, comments and decimal commas`() throws
  {
    let text =
      "\u{FEFF}# mine\r\npreamp: -3,5 dB\r\nFilter: on pk fc 1000 hz gain 2,5 db q 1,41\r\n"
    let curve = try parse(text)
    #expect(curve.preamp == -3.5)
    #expect(curve.filters == [.init(.peak, frequency: 1000, gain: 2.5, width: .quality(1.41))])
  }

  @Test(arguments: [
    ("LSC Fc 100 Hz Gain 3 dB", ParametricEQ.Filter.Width.slope(0.9)),
    ("LSC 6 dB Fc 100 Hz Gain 3 dB", .slope(0.5)), ("LS Fc 100 Hz Gain 3 dB", .slope(0.9)),
    ("LSC 24 dB Fc 100 Hz Gain 3 dB", .slope(1)),
  ])
  func `shelves may report a slope`(filter: String, width: ParametricEQ.Filter.Width) throws {
    let curve = try parse("Filter 1: ON \(filter)")
    #expect(curve.filters == [.init(.lowShelf, frequency: 100, gain: 3, width: width)])
  }

  @Test func `tells what it leaves out, by line`() throws {
    let curve = try parse(
      "Delay: 3 ms\nFilter 1: ON PK Fc 100 Hz Gain 1 dB Q 1\nFilter 2: ON HP Fc 20 Hz\nhm")
    #expect(
      curve.omissions == [
        "line 1: \"delay\" is left out",
        "line 3: a filter HP is left out: a headphone's bands cannot reproduce it",
        "line 4 is left out: no filters",
      ])
  }

  @Test(arguments: [
    ("", 1, "there is no \"Filter\" that is on"),
    ("Filter 1: OFF PK Fc 1 Hz Gain 1 dB Q 1", 1, "there is no \"Filter\" that is on"),
    ("GraphicEQ: ", 1, "\"GraphicEQ\" needs points, as in 20 -6.1; 25 -5.8"),
    ("\nGraphicEQ: 20 1; 30", 2, "point 2 of GraphicEQ is no frequency and gain"),
    ("GraphicEQ: 20 1; 30 loud", 1, "\"gain\" is no number"),
    ("GraphicEQ: 20 1; 30 50", 1, "\"gain\" is from -120 to 40 dB"),
    ("GraphicEQ: 20 1; 0 5", 1, "\"frequency\" is from 1 to 192000 Hz"),
    ("GraphicEQ: 20 1; 30 5; 30 6", 1, "the frequencies of GraphicEQ have to rise: point 3"),
    ("\nFilter 1: MAYBE", 2, "a filter is ON or OFF"),
    ("\nFilter 1: ON", 2, "its type is missing"),
    (
      "Filter 1: ON XX Fc 1 Hz", 1,
      "unknown filter type; PK, LSC and HSC are supported"
    ),
    ("Filter 1: ON PK Fc 100 Hz Gain 1 dB", 1, "\"Q\" is missing"),
    ("Filter 1: ON PK Gain 1 dB Q 1", 1, "\"Fc\" is missing"),
    ("Filter 1: ON PK Fc 100 Hz Q 1 Gain", 1, "\"Gain\" is missing"),
    ("Filter 1: ON PK Fc nan Hz Gain 1 dB Q 1", 1, "\"Fc\" is no number"),
    ("Filter 1: ON PK Fc 100 Hz Gain 1e999 dB Q 1", 1, "\"Gain\" is no number"),
    ("Filter 1: ON PK Fc 96000 Hz Gain 1 dB Q 1", 1, "\"Fc\" is from 1 to 23999 Hz"),
    ("Filter 1: ON PK Fc 100 Hz Gain 90 dB Q 1", 1, "\"Gain\" is from -40 to 40 dB"),
    ("Filter 1: ON PK Fc 100 Hz Gain 9 dB Q 0", 1, "\"Q\" is from 0.01 to 100"),
    ("Preamp: loud", 1, "\"preamp\" is no number"),
    ("Preamp:", 1, "\"Preamp\" needs a gain, as in -6.2 dB"),
    ("Preamp: 30 dB\nPreamp: 30 dB", 1, "the preamps add up to more than 40 dB"),
  ])
  func `is refused with the line that makes no sense`(text: String, line: Int, reason: String) {
    #expect(throws: ParametricEQError(line: line, reason)) { try parse(text) }
  }

  @Test func `is bounded`() {
    let filter = "Filter: ON PK Fc 100 Hz Gain 1 dB Q 1\n"
    #expect(throws: ParametricEQError(line: 65, "more than 64 filters")) {
      try parse(String(repeating: filter, count: 65))
    }
    #expect(throws: ParametricEQError(line: 1, "the text is longer than 64 KB")) {
      try ParametricEQ(parsing: Array(repeating: 0x20, count: 65_537))
    }
  }

  @Test func `of any bytes is read or refused, and shows nothing that steers a terminal`() {
    var random = SeededGenerator(seed: 7)
    let seeds = Array(Self.autoEq.utf8)
    for _ in 0..<3000 {
      var bytes = seeds
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      let reported: [String]
      do throws(ParametricEQError) {
        let curve = try ParametricEQ(parsing: bytes)
        reported = curve.omissions
        let gain = curve.response(at: 1000)
        #expect(gain.isFinite)
      } catch {
        reported = [error.reason]
        #expect(error.line >= 1)
      }
      #expect(reported.allSatisfy { $0.unicodeScalars.allSatisfy { (" "..."~").contains($0) } })
    }
  }
}
