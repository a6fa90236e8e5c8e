extension ParametricEQ {
  /// The longest text that is read, in bytes.
  public static let longestText = 1 << 16
  private static let mostFilters = 64
  private static let mostOmissions = 6

  /// Reads lines such as `Preamp: -6.2 dB` and `Filter 1: ON PK Fc 105 Hz Gain -3.2 dB Q 0.70`.
  ///
  /// Filters of other kinds are left out and reported; a filter that is malformed is an error.
  ///
  /// The text is a stranger's file: its length, its filters, its numbers and what is quoted of it
  /// are bounded. A comma is read as a decimal point, `#` begins a comment, and a byte-order mark
  /// is skipped. `Filter`s that are OFF are passed over.
  ///
  /// | kind | becomes |
  /// | --- | --- |
  /// | `PK`, `PEQ`, `Modal` | a peak, with `Q` |
  /// | `LSC`, `LSQ`, `HSC`, `HSQ` | a shelf, with `Q` (0.71 where it is missing) or a slope in dB |
  /// | `LS`, `HS` | a shelf with slope 0.9 |
  /// | `LP`, `HP`, `BP`, `NO`, `AP`, `IIR` … | an omission: bands cannot do that |
  ///
  /// A line such as `GraphicEQ: 20 -6.1; 25 -5.8; 32 -5.2` becomes peaks, and what they do not reproduce an omission.
  ///
  /// - Parameter bytes: At most ``longestText`` bytes of UTF-8; invalid bytes are replaced.
  /// - Throws: ``ParametricEQError`` with the line, where the text is too long, holds no filter
  ///   that is on, more than 64 of them, or a number that is missing or out of range.
  public init(parsing bytes: [UInt8]) throws(ParametricEQError) {
    guard bytes.count <= Self.longestText else {
      throw ParametricEQError(line: 1, "the text is longer than \(Self.longestText / 1024) KB")
    }
    self.init(filters: [])
    var hasPreamp = false
    var omitted = 0
    for (index, raw) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated()
    {
      let line = FilterLine(raw, number: index + 1)
      switch try line.content() {
      case .nothing: continue
      case .preamp(let gain):
        preamp += gain
        hasPreamp = true
      case .filter(let filter):
        guard filters.count < Self.mostFilters else {
          throw ParametricEQError(line: line.number, "more than \(Self.mostFilters) filters")
        }
        filters.append(filter)
      case .graphic(let graphic):
        let curve = graphic.fitted()
        guard filters.count + curve.filters.count <= Self.mostFilters else {
          throw ParametricEQError(line: line.number, "more than \(Self.mostFilters) filters")
        }
        filters += curve.filters
        preamp += curve.preamp
        hasPreamp = true
        omissions += curve.omissions.map { "line \(line.number): \($0)" }
      case .omitted(let what):
        omitted += 1
        if omitted <= Self.mostOmissions { omissions.append("line \(line.number): \(what)") }
      }
    }
    guard hasPreamp || !filters.isEmpty else {
      let hint = omissions.first.map { "; \($0)" } ?? ""
      throw ParametricEQError(line: 1, "there is no \"Filter\" that is on\(hint)")
    }
    guard abs(preamp) <= FilterLine.mostGain else {
      throw ParametricEQError(line: 1, "the preamps add up to more than 40 dB")
    }
    if omitted > Self.mostOmissions {
      omissions.append("\(omitted - Self.mostOmissions) more lines are left out")
    }
  }
}

/// One line of the text, in words.
private struct FilterLine {
  static let mostGain = 40.0
  private static let mostPoints = 1000

  /// The meaning of a line.
  enum Content {
    case nothing
    case preamp(Double)
    case filter(ParametricEQ.Filter)
    case graphic(GraphicEQ)
    /// It means something that is not done here.
    case omitted(String)
  }

  let number: Int
  private var displayText: [String]
  /// All of the line, as a graphic equaliser needs it.
  private let text: String

  /// Splits at white space and colons; of a longer line, the first 400 characters are read, but of `GraphicEQ` all.
  init(_ bytes: some Sequence<UInt8>, number: Int) {
    self.number = number
    var text = String(decoding: Array(bytes), as: UTF8.self)
    if number == 1, text.first == "\u{FEFF}" { text.removeFirst() }
    let spaced = text.prefix(400).flatMap { $0 == ":" ? [" ", ":", " "] : [$0] }
    displayText = spaced.split(whereSeparator: \.isWhitespace).map { String($0) }
    self.text = text
  }

  /// - Throws: ``ParametricEQError`` if a `Preamp` or a `Filter` that is on is malformed.
  func content() throws(ParametricEQError) -> Content {
    guard let first = displayText.first, !first.hasPrefix("#") else { return .nothing }
    guard let colon = displayText.firstIndex(of: ":") else { return .omitted(left(first)) }
    let rest = displayText[(colon + 1)...]
    switch (first.lowercased(), colon) {
    case ("preamp", 1): return .preamp(try preamp(rest))
    case ("filter", 1), ("filter", 2): return try filter(rest)
    case ("graphiceq", 1): return .graphic(try graphic())
    default: return .omitted(left(first))
    }
  }

  /// What screen and log quote of an unknown file: short, letters and digits only.
  private func left(_ word: String) -> String {
    let name = word.prefix(20).filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    return name.isEmpty ? "it is not understood and left out" : "\"\(name)\" is left out"
  }

  /// The points of a `GraphicEQ` line, between semicolons.
  ///
  /// AutoEq's begin with 10 Hz and -84 dB.
  private func graphic() throws(ParametricEQError) -> GraphicEQ {
    var points: [GraphicEQ.Point] = []
    for part in text.drop(while: { $0 != ":" }).dropFirst().split(separator: ";") {
      let words = part.split(whereSeparator: \.isWhitespace).map { String($0) }
      guard !words.isEmpty else { continue }
      guard words.count == 2 else {
        throw error("point \(points.count + 1) of GraphicEQ is no frequency and gain")
      }
      guard points.count < Self.mostPoints else {
        throw error("GraphicEQ has more than \(Self.mostPoints) points")
      }
      let point = GraphicEQ.Point(
        frequency: try number(words[0], named: "frequency", in: 1...192_000, "Hz"),
        gain: try number(words[1], named: "gain", in: -120...Self.mostGain, "dB"))
      guard points.last.map({ $0.frequency < point.frequency }) ?? true else {
        throw error("the frequencies of GraphicEQ have to rise: point \(points.count + 1)")
      }
      points.append(point)
    }
    guard !points.isEmpty else {
      throw error("\"GraphicEQ\" needs points, as in 20 -6.1; 25 -5.8")
    }
    return GraphicEQ(points: points)
  }

  /// The gain of a `Preamp` line; several add up.
  private func preamp(_ displayText: ArraySlice<String>) throws(ParametricEQError) -> Double {
    guard let word = displayText.first else {
      throw error("\"Preamp\" needs a gain, as in -6.2 dB")
    }
    return try number(word, named: "preamp", in: -Self.mostGain...Self.mostGain, "dB")
  }

  /// A `Filter` line after its colon: state, kind, then fields in any order.
  private func filter(_ displayText: ArraySlice<String>) throws(ParametricEQError) -> Content {
    guard let state = displayText.first?.uppercased(), state == "ON" || state == "OFF" else {
      throw error("a filter is ON or OFF")
    }
    guard state == "ON" else { return .nothing }
    guard let kind = displayText.dropFirst().first?.uppercased() else {
      throw error("its type is missing")
    }
    let shape: ParametricEQ.Filter.Shape
    var width: ParametricEQ.Filter.Width?
    switch kind {
    case "PK", "PEQ", "MODAL": shape = .peak
    case "LSC", "LSQ": shape = .lowShelf
    case "HSC", "HSQ": shape = .highShelf
    case "LS": (shape, width) = (.lowShelf, .slope(0.9))
    case "HS": (shape, width) = (.highShelf, .slope(0.9))
    case "NONE": return .nothing
    case "LP", "LPQ", "HP", "HPQ", "BP", "NO", "AP", "IIR":
      return .omitted("a filter \(kind) is left out: a headphone's bands cannot reproduce it")
    default: throw error("unknown filter type; PK, LSC and HSC are supported")
    }
    let fields = displayText.dropFirst(2)
    if width == nil, let first = fields.first, first.first?.isNumber == true {
      let slope = try number(first, named: "slope", in: 0.1...24, "dB")
      width = .slope(min(1, slope / 12))
    }
    let frequency = try field("Fc", fields, in: 1...23_999, "Hz")
    let gain = try field("Gain", fields, in: -Self.mostGain...Self.mostGain, "dB")
    if fields.contains(where: { $0.uppercased() == "Q" }) {
      width = .quality(try field("Q", fields, in: 0.01...100, ""))
    } else if shape != .peak, width == nil {
      // The Q of a Butterworth shelf, which EqualizerAPO assumes where none is given.
      width = .quality(0.5.squareRoot())
    }
    guard let width else { throw error("\"Q\" is missing") }
    return .filter(
      ParametricEQ.Filter(shape, frequency: frequency, gain: gain, width: width))
  }

  /// The number that follows a name such as `Fc`, `Gain` or `Q`, without regard to case.
  private func field(
    _ name: String, _ displayText: ArraySlice<String>, in range: ClosedRange<Double>, _ unit: String
  ) throws(ParametricEQError) -> Double {
    guard let place = displayText.firstIndex(where: { $0.uppercased() == name.uppercased() }),
      displayText.index(after: place) < displayText.endIndex
    else { throw error("\"\(name)\" is missing") }
    return try number(displayText[displayText.index(after: place)], named: name, in: range, unit)
  }

  /// A finite number within a range; the error names the range.
  private func number(
    _ word: String, named name: String, in range: ClosedRange<Double>, _ unit: String
  ) throws(ParametricEQError) -> Double {
    let text = String(word.map { $0 == "," ? "." : $0 })
    guard word.count <= 24, let value = Double(text), value.isFinite else {
      throw error("\"\(name)\" is no number")
    }
    guard range.contains(value) else {
      let unit = unit.isEmpty ? "" : " \(unit)"
      throw error(
        "\"\(name)\" is from \(plain(range.lowerBound)) to \(plain(range.upperBound))\(unit)")
    }
    return value
  }

  private func plain(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  private func error(_ reason: String) -> ParametricEQError {
    ParametricEQError(line: number, reason)
  }
}
