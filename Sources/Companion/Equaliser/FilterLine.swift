internal import Glibc

struct FilterLine {
  static let mostGain = 40.0
  private static let mostPoints = 1000

  enum Content {
    case nothing
    case preamp(Double)
    case filter(ParametricEQ.Filter)
    case graphic(GraphicEQ)
    /// The following lines are for these ears; empty for channels that a headphone lacks.
    case channel(Ears)
    /// The following lines are for this device, in lower case.
    case device(String)
    /// A condition begins (1), ends (-1), or has another branch (0).
    case condition(Int)
    case omitted(String)
    /// The line is not part of an equaliser.
    case stranger
  }

  let number: Int
  /// The text before the first colon in lower case; nil without a colon.
  private let command: String?
  private let text: Substring

  init(_ line: Substring, number: Int) {
    self.number = number
    guard let colon = line.firstIndex(of: ":"), line.first(where: { !$0.isWhitespace }) != "#"
    else {
      (command, text) = (nil, line)
      return
    }
    command = String(line[..<colon].prefix(40)).lowercased().trimmed
    text = line[line.index(after: colon)...]
  }

  func content() throws(ParametricEQError) -> Content {
    guard let command else {
      let first = text.first { !$0.isWhitespace }
      return first == nil || first == "#" ? .nothing : .stranger
    }
    switch command {
    case "preamp": return .preamp(try preamp())
    case "graphiceq": return .graphic(try graphic())
    case "channel": return .channel(channel)
    case "device": return .device(String(text.prefix(200)).lowercased().trimmed)
    case "if": return .condition(1)
    case "elseif", "else": return .condition(0)
    case "endif": return .condition(-1)
    case _ where command.hasPrefix("filter") && command.dropFirst(6).allSatisfy(Self.isOfNumber):
      return try filter()
    case "include", "copy", "delay", "convolution", "loudnesscorrection", "vstplugin", "eval",
      "stage":
      return .omitted("\"\(command)\" is left out")
    default: return .stranger
    }
  }

  private static func isOfNumber(_ character: Character) -> Bool {
    character.isWhitespace || character.isNumber
  }

  private var channel: Ears {
    var ears: Ears = []
    for word in text.prefix(200).split(whereSeparator: \.isWhitespace) {
      switch word.lowercased() {
      case "all": ears = .both
      case "l", "1": ears.insert(.left)
      case "r", "2": ears.insert(.right)
      default: continue
      }
    }
    return ears
  }

  /// Returns the points of a `GraphicEQ` line; AutoEq's begin with 10 Hz and -84 dB.
  private func graphic() throws(ParametricEQError) -> GraphicEQ {
    var points: [GraphicEQ.Point] = []
    for part in text.split(separator: ";") {
      let words = part.split(whereSeparator: \.isWhitespace).map { String($0) }
      guard !words.isEmpty else { continue }
      guard words.count == 2 else {
        throw error("point \(points.count + 1) of GraphicEQ is no frequency and gain")
      }
      guard points.count < Self.mostPoints else {
        throw error("GraphicEQ has more than \(Self.mostPoints) points")
      }
      let point = GraphicEQ.Point(
        frequency: try number(
          EqualiserToken.decimal(words[0]), named: "frequency", in: 1...192_000, "Hz"),
        gain: try number(
          EqualiserToken.decimal(words[1]), named: "gain", in: -120...Self.mostGain, "dB"))
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

  /// Returns the gain of a `Preamp` line; several add up.
  private func preamp() throws(ParametricEQError) -> Double {
    guard let token = EqualiserToken.tokens(of: text).first else {
      throw error("\"Preamp\" needs a gain, as in -6.2 dB")
    }
    return try number(token.value, named: "preamp", in: -Self.mostGain...Self.mostGain, "dB")
  }

  /// Reads a `Filter` line: state, kind, then fields in any order.
  private func filter() throws(ParametricEQError) -> Content {
    let tokens = EqualiserToken.tokens(of: text)
    guard let state = tokens.first?.word, ["on", "off"].contains(state) else {
      throw error("a filter is ON or OFF")
    }
    guard state == "on" else { return .nothing }
    guard let kind = tokens.dropFirst().first?.word else { throw error("its type is missing") }
    let fields = Array(tokens.dropFirst(2))
    switch kind {
    case "pk", "peq", "modal": return .filter(try peak(fields))
    case "lsc", "lsq": return .filter(try shelf(.lowShelf, fields, isByCorner: false))
    case "hsc", "hsq": return .filter(try shelf(.highShelf, fields, isByCorner: false))
    case "ls": return .filter(try shelf(.lowShelf, fields, isByCorner: true))
    case "hs": return .filter(try shelf(.highShelf, fields, isByCorner: true))
    case "none": return .nothing
    case "lp", "lpq", "hp", "hpq", "bp", "no", "ap", "iir":
      return .omitted(
        "a filter \(kind.uppercased()) is left out: a headphone's bands cannot reproduce it")
    default: throw error("unknown filter type; PK, LSC and HSC are supported")
    }
  }

  private static let frequencies = 1.0...23_999

  private func peak(_ fields: [EqualiserToken]) throws(ParametricEQError) -> ParametricEQ.Filter {
    let frequency = try field("Fc", fields, in: Self.frequencies, "Hz")
    let gain = try field("Gain", fields, in: -Self.mostGain...Self.mostGain, "dB")
    let octaves = zip(fields, fields.dropFirst()).contains { ($0.word, $1.word) == ("bw", "oct") }
    guard octaves else {
      return ParametricEQ.Filter(
        .peak, frequency: frequency, gain: gain,
        width: .quality(try field("Q", fields, in: 0.01...100, "")))
    }
    let bandwidth = try field("Oct", fields, in: 0.01...10, "octaves")
    let quality = Biquad.quality(octaves: bandwidth, at: frequency)
    guard quality >= 0.01 else { throw error("its bandwidth is too wide at this frequency") }
    return ParametricEQ.Filter(.peak, frequency: frequency, gain: gain, width: .quality(quality))
  }

  /// Reads a shelf; EqualizerAPO's kinds for the Behringer DCX2496 give the corner, not the middle.
  private func shelf(
    _ shape: ParametricEQ.Filter.Shape, _ fields: [EqualiserToken], isByCorner: Bool
  ) throws(ParametricEQError) -> ParametricEQ.Filter {
    let frequency = try field("Fc", fields, in: Self.frequencies, "Hz")
    let gain = try field("Gain", fields, in: -Self.mostGain...Self.mostGain, "dB")
    var filter = ParametricEQ.Filter(shape, frequency: frequency, gain: gain, width: .slope(0.9))
    if let first = fields.first, first.word == nil {
      filter.width = .slope(
        min(1, try number(first.value, named: "slope", in: 0.1...24, "dB") / 12))
    } else if fields.contains(where: { $0.word == "q" }) {
      filter.width = .quality(try field("Q", fields, in: 0.01...100, ""))
    } else {
      return filter
    }
    guard isByCorner else { return filter }
    let factor = pow(10, abs(gain) / 80 / filter.slope)
    filter.frequency = shape == .lowShelf ? frequency * factor : frequency / factor
    guard Self.frequencies.contains(filter.frequency) else {
      throw error("its corner and slope put its middle beyond 1 to 23999 Hz")
    }
    return filter
  }

  private func field(
    _ name: String, _ fields: [EqualiserToken], in range: ClosedRange<Double>, _ unit: String
  ) throws(ParametricEQError) -> Double {
    guard let place = fields.firstIndex(where: { $0.word == name.lowercased() }),
      fields.indices.contains(place + 1)
    else { throw error("\"\(name)\" is missing") }
    let token = fields[place + 1]
    let next = fields.element(at: place + 2)
    // "2 520" may be thousands or two numbers.
    guard next == nil || next?.word != nil else { throw error("\"\(name)\" is no number") }
    guard unit == "Hz" else { return try number(token.value, named: name, in: range, unit) }
    let value = next?.word == "khz" ? token.value.map { $0 * 1000 } : token.frequency
    return try number(value, named: name, in: range, unit)
  }

  private func number(
    _ value: Double?, named name: String, in range: ClosedRange<Double>, _ unit: String
  ) throws(ParametricEQError) -> Double {
    guard let value, value.isFinite else { throw error("\"\(name)\" is no number") }
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
