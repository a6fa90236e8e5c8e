import HeadphoneProtocols

/// A measured correction: the filters that make a model neutral.
package struct Correction: Hashable, Sendable, Identifiable {
  /// The unique name: the model, and the condition in parentheses: "Sony WH-1000XM4 (ANC on)".
  package var name: String
  /// "over-ear" or "in-ear".
  package var form: String
  package var source: String
  package var curve: ParametricEQ

  package var id: String { name }

  package init(name: String, form: String = "", source: String = "", curve: ParametricEQ) {
    self.name = name
    self.form = form
    self.source = source
    self.curve = curve
  }

  /// The displayable name and source: "Sony WH-1000XM4, measured by oratory1990".
  package var displayText: String {
    displayable(source.isEmpty ? name : "\(name), measured by \(source)")
  }
}

/// The text table of measured corrections, with tab-separated columns.
///
/// ```
/// Sony WH-1000XM4	over-ear	oratory1990	-6.1	LSC 105 6.4 0.7; PK 8800 5.1 1.42; HSC 10000 -2.1 0.7
/// ```
///
/// Filters are only parsed for the lines that are needed.
package struct CorrectionTable: Sendable {
  static let mostFilters = 32

  private let bytes: [UInt8]
  private let lines: [Range<Int>]

  /// Creates a table from UTF-8 text; invalid bytes are replaced.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var lines: [Range<Int>] = []
    lines.reserveCapacity(bytes.count / 200)
    var start = 0
    bytes.withUnsafeBufferPointer { bytes in
      for place in bytes.indices where bytes[place] == UInt8(ascii: "\n") {
        if place > start { lines.append(start..<place) }
        start = place + 1
      }
      if start < bytes.count { lines.append(start..<bytes.count) }
    }
    self.lines = lines
  }

  package var count: Int { lines.count }

  /// The correction of a line; nil if it is malformed or a number is out of range.
  package subscript(line: Int) -> Correction? { Correction(line: bytes[lines[line]]) }

  func lines(where isWanted: (UnsafeBufferPointer<UInt8>) -> Bool) -> [Int] {
    bytes.withUnsafeBufferPointer { bytes in
      lines.indices.filter { line in
        let line = UnsafeBufferPointer(rebasing: bytes[lines[line]])
        return isWanted(UnsafeBufferPointer(rebasing: line.prefix { $0 != UInt8(ascii: "\t") }))
      }
    }
  }

  func name(of line: Int) -> String {
    String(decoding: bytes[lines[line]].prefix { $0 != UInt8(ascii: "\t") }, as: UTF8.self)
  }

  package func correction(named name: String) -> Correction? {
    let wanted = Array(name.utf8)
    return lines { $0.elementsEqual(wanted) }.first.flatMap { self[$0] }
  }
}

extension Correction {
  init?(line: ArraySlice<UInt8>) {
    let columns = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard columns.count == 5, !columns[0].isEmpty, let preamp = Double(columns[3]),
      (-40...40).contains(preamp)
    else { return nil }
    let words = columns[4].split(separator: ";")
    let filters = words.compactMap { ParametricEQ.Filter(words: $0) }
    guard filters.count == words.count, 1...CorrectionTable.mostFilters ~= filters.count else {
      return nil
    }
    self.init(
      name: columns[0], form: columns[1], source: columns[2],
      curve: ParametricEQ(preamp: preamp, filters: filters))
  }
}

extension ParametricEQ.Filter {
  /// Creates a filter from kind, Hz, dB and Q such as "PK 8800 5.1 1.42", or fails if malformed.
  fileprivate init?(words: some StringProtocol) {
    let parts = words.split(separator: " ")
    guard parts.count == 4, let frequency = Double(parts[1]), let gain = Double(parts[2]),
      let quality = Double(parts[3]), (1...23_999).contains(frequency), (-40...40).contains(gain),
      (0.01...100).contains(quality)
    else { return nil }
    let shape: Shape
    switch parts[0] {
    case "PK": shape = .peak
    case "LSC": shape = .lowShelf
    case "HSC": shape = .highShelf
    default: return nil
    }
    self.init(shape, frequency: frequency, gain: gain, width: .quality(quality))
  }
}
