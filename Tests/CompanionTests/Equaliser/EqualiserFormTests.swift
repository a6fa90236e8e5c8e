import Companion
import Testing

/// Lines in all forms of EqualizerAPO and Room EQ Wizard.
@Suite struct `The forms of an equaliser's text` {
  private func parse(_ text: String) throws -> ParametricEQ {
    try ParametricEQ(parsing: Array(text.utf8))
  }

  private func peak(_ frequency: Double, _ gain: Double, _ quality: Double) -> ParametricEQ.Filter {
    .init(.peak, frequency: frequency, gain: gain, width: .quality(quality))
  }

  private func near(_ a: Double, _ b: Double, _ distance: Double = 0.01) -> Bool {
    abs(a - b) <= distance
  }

  // MARK: Numbers

  @Test(arguments: [
    ("3,150 Hz", 3150.0), ("3.150 Hz", 3150), ("3\u{A0}150 Hz", 3150), ("3\u{202F}150 Hz", 3150),
    ("3'150 Hz", 3150), ("12.500 Hz", 12_500), ("1,234.5 Hz", 1234.5), ("1.234,5 Hz", 1234.5),
    // What would be beyond hearing has a decimal mark.
    ("62.500 Hz", 62.5), ("31,250 Hz", 31.25), ("0.500 kHz", 500), ("2.5 kHz", 2500),
    ("63,5 Hz", 63.5), ("63.25 Hz", 63.25), ("1000.500 Hz", 1000.5), ("1.5e3 Hz", 1500),
    ("80   H z", 80), ("80Hz", 80), ("80", 80),
  ])
  func `three digits behind a mark are thousands of hertz`(text: String, frequency: Double) throws {
    #expect(
      try parse("Filter 1: ON PK Fc \(text) Gain -4,2 dB Q 2.73").filters == [
        peak(frequency, -4.2, 2.73)
      ])
  }

  @Test(arguments: [
    "Fc 2 520 Hz Gain 1 dB Q 1", "Fc 1.0.0 Hz Gain 1 dB Q 1", "Fc `f` Hz Gain 1 dB Q 1",
    "Fc 100 Hz Gain 1,2,3 dB Q 1", "Fc 100 Hz Gain 1 2 dB Q 1",
  ])
  func `what may be two numbers is none`(fields: String) {
    #expect(throws: ParametricEQError.self) { try parse("Filter 1: ON PK \(fields)") }
  }

  @Test func `gains have no thousands, and a minus may be a printed one`() throws {
    let curve = try parse("Preamp: \u{2212}3.125 dB\nFilter: ON PK Fc 90 Hz Gain -1,125dB Q 1,000")
    #expect(curve.preamp == -3.125 && curve.filters == [peak(90, -1.125, 1)])
  }

  @Test func `units need no space`() throws {
    let curve = try parse("Preamp:-5.6dB\nFilter1:ON PK Fc1000Hz Gain3dB Q1.41")
    #expect(curve.preamp == -5.6 && curve.filters == [peak(1000, 3, 1.41)])
  }

  // MARK: Widths

  @Test(arguments: [
    ("LSC Fc 300 Hz Gain 9 dB", 300.0), ("LSC Fc 300 Hz Gain 9 dB Q 0.8", 300),
    ("LS Fc 300 Hz Gain 9 dB", 300), ("HS Fc 300 Hz Gain -9 dB", 300),
    ("LSQ Fc 300 Hz Gain 9 dB Q 0.8", 300),
    // Half of the gain is where the shelf's corner and slope put it, not at the corner.
    ("LS 6dB Fc 300 Hz Gain 8 dB", 475.468), ("HS 6 dB Fc 300 Hz Gain 8 dB", 189.287),
    ("HS 12 dB Fc 300 Hz Gain -8 dB", 238.298), ("LS Fc 300 Hz Gain -8 dB Q 0.7071068", 377.678),
    ("LS Fc 300 Hz Gain 8 dB Q 0.5", 464.922),
  ])
  func `a shelf has half of its gain in its middle`(filter: String, middle: Double) throws {
    let curve = try parse("Filter 1: ON \(filter)")
    #expect(near(curve.filters[0].frequency, middle, middle / 10_000))
    #expect(near(curve.response(at: middle), curve.filters[0].gain / 2))
  }

  @Test func `a shelf without Q has slope 0.9`() throws {
    for kind in ["LSC", "HSC", "LS", "HS", "LSQ"] {
      #expect(
        try parse("Filter 1: ON \(kind) Fc 300 Hz Gain 9 dB").filters[0].width == .slope(0.9))
    }
  }

  @Test func `a slope of 6 dB is reached in the octaves around the middle`() throws {
    let curve = try parse("Filter 1: ON LS 6 dB Fc 50 Hz Gain 7.2 dB")
    #expect(curve.filters[0].width == .slope(0.5))
    #expect(near(curve.response(at: 5), 7.2, 0.1) && near(curve.response(at: 2000), 0, 0.1))
  }

  @Test func `a bandwidth in octaves is the distance of the points of half the gain`() throws {
    let curve = try parse("Filter 1: ON PEQ Fc 100 Hz Gain 6.0 dB BW Oct 1.000")
    #expect(near(curve.response(at: 100), 6))
    for frequency in [100 / 2.0.squareRoot(), 100 * 2.0.squareRoot()] {
      #expect(near(curve.response(at: frequency), 3, 0.02))
    }
    guard case .quality(let quality) = curve.filters[0].width else { return }
    #expect(near(quality, 1.414, 0.001))
    #expect(throws: ParametricEQError(line: 1, "\"Q\" is missing")) {
      try parse("Filter 1: ON PK Fc 100 Hz Gain 6 dB BW 3")
    }
  }

  @Test func `a modal filter is a peak`() throws {
    let curve = try parse(
      "Filter  9: ON  Modal  Fc 35.0 Hz  Gain -10.0 dB  Q 13.02  T60 target 300 ms")
    #expect(curve.filters == [peak(35, -10, 13.02)])
  }

  // MARK: Channels, devices, conditions

  private static let one = "Filter 1: ON PK Fc 1000 Hz Gain 5 dB Q 1"

  @Test(arguments: [
    "Channel: L\n\(one)\nChannel: R\n\(one)", "Channel: L R\n\(one)", "channel: all\n\(one)",
    "Channel: 1\n\(one)\nChannel: 2\n\(one)", "Channel: C\n\(one)\nChannel: ALL\n\(one)",
  ])
  func `each ear has a filter once`(text: String) throws {
    let curve = try parse(text)
    #expect(curve.filters == [peak(1000, 5, 1)])
    #expect(curve.omissions.allSatisfy { $0.contains("other channels") })
  }

  @Test func `ears that differ get the mean, which is said`() throws {
    let curve = try parse(
      "Preamp: -2 dB\nChannel: L\nPreamp: -2 dB\n\(Self.one)\nChannel: R\n"
        + "Filter: ON PK Fc 4000 Hz Gain -6 dB Q 3\n\(Self.one)")
    #expect(curve.preamp == -3)
    #expect(curve.filters == [peak(1000, 5, 1), peak(4000, -3, 3)])
    #expect(
      curve.omissions == ["left and right differ by up to 4.0 dB (4 kHz): both get the mean"])
  }

  @Test func `the first device counts, and what is for all`() throws {
    let other = "Filter 1: ON PK Fc 50 Hz Gain 9 dB Q 1\nPreamp: -9 dB"
    let curve = try parse(
      "Preamp: -1 dB\nDevice: Speakers {1}\n\(Self.one)\nDevice: Headset\n\(other)\nDevice: all\n"
        + "Filter 3: ON PK Fc 2000 Hz Gain 2 dB Q 2")
    #expect(curve.preamp == -1)
    #expect(curve.filters == [peak(1000, 5, 1), peak(2000, 2, 2)])
    #expect(curve.omissions == ["line 4: what is for another device is left out"])
  }

  @Test func `what depends on a condition is left out`() throws {
    let curve = try parse(
      "If: sampleRate > 1\n\(Self.one)\nIf: 1\n\(Self.one)\nEndIf:\nElse:\n\(Self.one)\nEndIf:\n"
        + Self.one)
    #expect(curve.filters == [peak(1000, 5, 1)])
    #expect(curve.omissions == ["line 1: what depends on this condition is left out"])
  }

  // MARK: Bytes and lines

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines end in any way`(end: String) throws {
    let text = ["# mine", "Preamp: -1 dB", Self.one, "Filter 2: ON PK Fc 1 Hz"].joined(
      separator: end)
    let curve = try parse(text)
    #expect(curve.preamp == -1 && curve.filters == [peak(1000, 5, 1)])
    #expect(curve.omissions == ["line 4 is left out: \"Gain\" is missing"])
  }

  @Test(arguments: [false, true], [false, true])
  func `UTF-16 is read, with a mark of its order or without`(isBig: Bool, hasMark: Bool) throws {
    let text = (hasMark ? "\u{FEFF}" : "") + "Preamp: -1 dB\r\n\(Self.one)\r\n"
    let bytes = text.utf16.flatMap { unit in
      isBig ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
    let curve = try ParametricEQ(parsing: bytes)
    #expect(curve.preamp == -1 && curve.filters == [peak(1000, 5, 1)])
  }

  @Test func `a text that is no UTF-8 is Latin-1`() throws {
    let text = "# Kopfh\u{F6}rer\nFilter 1: ON PK Fc 3\u{A0}150 Hz Gain 1 dB Q 1"
    let curve = try ParametricEQ(parsing: text.unicodeScalars.map { UInt8($0.value) })
    #expect(curve.filters == [peak(3150, 1, 1)])
  }

  @Test(arguments: [
    "Fc 0 Hz Gain 1 dB Q 1", "Fc 24000 Hz Gain 1 dB Q 1", "Fc 100 Hz Gain loud Q 1",
    "Fc 100 Hz Gain 1 dB", "Fc 100 Hz Gain 77 dB Q 1",
  ])
  func `a line that is out of range costs that line alone`(fields: String) throws {
    let curve = try parse(
      "\(Self.one)\nFilter 2: ON PK \(fields)\nFilter 3: ON PK Fc 9 Hz Gain 1 dB Q 1")
    #expect(curve.filters == [peak(1000, 5, 1), peak(9, 1, 1)])
    #expect(curve.omissions.count == 1)
    #expect(curve.omissions[0].hasPrefix("line 2 is left out: "))
  }

  @Test func `lines that are no filters are told by their numbers`() throws {
    let header = "Filter Settings file\n\nRoom EQ V5\nDated: 1 May\n\nNotes:x\nEqualiser: Generic"
    let curve = try parse("\(header)\n\(Self.one)\nFilter 2: ON HP Fc 20 Hz\nInclude: a.txt\nhm")
    #expect(
      curve.omissions == [
        "line 9: a filter HP is left out: a headphone's bands cannot reproduce it",
        "line 10: \"include\" is left out",
        "lines 1, 3 to 4, 6 to 7 and 11 are left out: no filters",
      ])
    let many = (1...40).map { "Filter \($0): ON NO Fc 100 Hz" }.joined(separator: "\n")
    #expect(try parse("\(many)\n\(Self.one)").omissions.last == "lines 13 to 40 are left out, too")
  }

  @Test func `a preset of another kind is refused`() {
    #expect(throws: ParametricEQError(line: 1, "this is JSON, no text of filters")) {
      try parse("[{\"name\": \"mine\", \"preamp\": -3, \"bands\": [{\"frequency\": 90}]}]")
    }
  }

  @Test func `a preamp beside filters that are all malformed is no curve`() {
    #expect(throws: ParametricEQError(line: 2, "\"Q\" is missing")) {
      try parse("Preamp: -6 dB\nFilter 1: ON PK Fc 100 Hz Gain 1 dB")
    }
  }
}
