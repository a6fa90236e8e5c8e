extension ParametricEQ {
  /// The maximum size in bytes.
  package static let longestText = 1 << 16
  private static let mostFilters = 64

  /// Parses lines such as `Preamp: -6.2 dB` and `Filter 1: ON PK Fc 105 Hz Gain -3.2 dB Q 0.70`.
  ///
  /// This is the format of EqualizerAPO and Room EQ Wizard. The file may come from anyone, so its
  /// length, filters, numbers and quotes are bounded. A malformed line is left out, and
  /// ``omissions`` lists all such lines by number. `#` begins a comment, and filters that are OFF
  /// are skipped.
  ///
  /// | kind | result |
  /// | --- | --- |
  /// | `PK`, `PEQ`, `Modal` | a peak with `Q` or `BW Oct` |
  /// | `LSC`, `HSC`, `LSQ`, `HSQ` | a shelf by its middle, with `Q`, a slope in dB, or slope 0.9 |
  /// | `LS`, `HS` | a shelf; with `Q` or a slope, the frequency is that of its corner |
  /// | `LP`, `HP`, `BP`, `NO`, `AP`, `IIR` … | an omission, as bands cannot reproduce it |
  ///
  /// `GraphicEQ: 20 -6.1; 25 -5.8; 32 -5.2` becomes peaks, with an omission for the deviation.
  /// `Channel: L` and `Channel: R` begin the lines of one ear; if the ears differ, both get the
  /// mean. The first `Device:` block and those for all devices count. Lines that depend on an `If:`
  /// are left out.
  ///
  /// - Parameter bytes: at most ``longestText`` bytes of UTF-8, UTF-16 or Latin-1, with any line
  ///   ends.
  /// - Throws: ``ParametricEQError`` if the text is too long, or has no or more than 64 active
  ///   filters.
  package init(parsing bytes: [UInt8]) throws(ParametricEQError) {
    guard bytes.count <= Self.longestText else {
      throw ParametricEQError(line: 1, "the text is longer than \(Self.longestText / 1024) KB")
    }
    let text = EqualiserText(bytes)
    var reading = EqualiserReading()
    for (index, line) in text.lines.enumerated() {
      try reading.read(FilterLine(line, number: index + 1), mostFilters: Self.mostFilters)
    }
    if let mistake = reading.mistake(isJSON: text.isJSON) { throw mistake }
    self = reading.curve
    guard abs(preamp) <= FilterLine.mostGain else {
      throw ParametricEQError(line: 1, "the preamps add up to more than 40 dB")
    }
  }
}

private struct EqualiserText {
  let lines: [Substring]
  let isJSON: Bool

  init(_ bytes: [UInt8]) {
    var text = Self.text(of: bytes)[...]
    if text.first == "\u{FEFF}" { text.removeFirst() }
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    isJSON = text.first { !$0.isWhitespace }.map { "{[".contains($0) } ?? false
  }

  /// Returns the text, decoded as UTF-16 if its first bytes look like that, else UTF-8 or Latin-1.
  private static func text(of bytes: [UInt8]) -> String {
    let start = (bytes.first ?? 0, bytes.dropFirst().first ?? 0)
    switch start {
    case (0xFF, 0xFE), (1..., 0): return utf16(bytes) { $1 << 8 | $0 }
    case (0xFE, 0xFF), (0, 1...): return utf16(bytes) { $0 << 8 | $1 }
    default:
      return String(validating: bytes, as: UTF8.self)
        ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
  }

  private static func utf16(
    _ bytes: [UInt8], _ unit: (UInt16, UInt16) -> UInt16
  ) -> String {
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map {
      unit(UInt16(bytes[$0]), UInt16(bytes[$0 + 1]))
    }
    return String(decoding: units, as: UTF16.self)
  }
}
