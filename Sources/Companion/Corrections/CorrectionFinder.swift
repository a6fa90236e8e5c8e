package import HeadphoneProtocols

package struct CorrectionModel: Hashable, Sendable {
  /// The measurements, never empty: the default, then noise modes, then other variants.
  package var corrections: [Correction]

  package var first: Correction { corrections[0] }

  /// Creates a model, or fails if `corrections` is empty; `editions` are listed last.
  package init?(_ corrections: [Correction], editions: [Correction] = []) {
    guard !corrections.isEmpty else { return nil }
    self.corrections = [corrections, editions].flatMap { group in
      group.enumerated().sorted { one, other in
        (Self.rank(one.element), one.offset) < (Self.rank(other.element), other.offset)
      }.map(\.element)
    }
  }

  /// Ranks plain measurements first, and among those the most reliable sources.
  private static func rank(_ correction: Correction) -> Int {
    let name = ModelName(correction.name)
    let kind =
      name.variant.isEmpty ? (name.mode == nil ? 0 : name.mode == .noiseCancelling ? 1 : 2) : 3
    let source = sources.firstIndex(of: correction.source) ?? sources.count
    return kind * 10 + source
  }

  private static let sources = ["oratory1990", "crinacle", "Rtings"]

  package var hasModes: Bool { first(in: .noiseCancelling) != nil && first(in: .off) != nil }

  /// Returns the correction for a noise mode, or the first if the model was not measured in modes.
  ///
  /// Transparency and adaptive modes without measurements use that with noise cancelling.
  package func correction(in mode: ANCMode?) -> Correction {
    guard hasModes, let mode else { return first }
    let wanted: [ANCMode] = mode == .off ? [.off] : [mode, .noiseCancelling]
    return wanted.lazy.compactMap(first(in:)).first ?? first
  }

  /// Returns the measurement that differs from ``first`` only in the noise mode.
  private func first(in mode: ANCMode) -> Correction? {
    let key = ModelName(first.name).key
    return corrections.first {
      let name = ModelName($0.name)
      return name.mode == mode && name.variant.isEmpty && name.key == key
    }
  }
}

extension Correction {
  /// Whether the name contains a condition, which choosing it implies.
  var isConditional: Bool {
    let name = ModelName(self.name)
    return name.mode != nil || !name.variant.isEmpty
  }
}

package enum CorrectionMatch: Hashable, Sendable {
  case certain(CorrectionModel)
  /// Several possible models, likeliest first; never empty.
  case several([CorrectionModel])
  case missing
}

extension CorrectionTable {
  private static let most = 20

  /// Returns the model that a headphone's names match.
  ///
  /// The words are compared regardless of how they are separated. The maker may be missing, numbers
  /// may not. The model may be part of a name that the user gave ("Anna's AirPods Pro").
  ///
  /// | match | condition |
  /// | --- | --- |
  /// | certain | the name of one model is the same, with or without its maker |
  /// | several | two makers have such a model, or the name lacks or has more words than the maker |
  /// | none | a number differs, or a word such as "Pro" |
  ///
  /// - Parameters:
  ///   - names: the names that the headphone reports, best first; the first certain match decides.
  ///   - maker: words that name the maker, from anything known about the headphone.
  package func match(_ names: [String], maker: String = "") -> CorrectionMatch {
    var several: [CorrectionModel] = []
    let makerWords = Set(ModelName.words(in: maker))
    for name in names {
      switch match(WantedName(name), makerWords) {
      case .certain(let model): return .certain(model)
      case .several(let models): several += models.filter { !several.contains($0) }
      case .missing: continue
      }
    }
    return several.isEmpty ? .missing : .several(Array(several.prefix(Self.most)))
  }

  private func match(_ wanted: WantedName, _ maker: Set<String>) -> CorrectionMatch {
    guard !wanted.anchors.isEmpty else { return .missing }
    var folded: [UInt8] = []
    let candidates = lines { name in
      folded.removeAll(keepingCapacity: true)
      for byte in name {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded.append(byte | 0x20)
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
          folded.append(byte)
        default: continue
        }
      }
      return wanted.anchors.contains { folded.holds($0) }
    }
    var found: [Candidate] = []
    for line in candidates {
      let text = self.name(of: line)
      let name = ModelName(text)
      guard let score = wanted.isLine(text) ? .line : wanted.score(name, maker) else { continue }
      let place = found.firstIndex { $0.name.key == name.key } ?? found.endIndex
      if place == found.endIndex { found.append(Candidate(name)) }
      found[place].score = max(found[place].score, score)
      found[place].lines.append(line)
    }
    let best = found.map(\.score).max() ?? .possible
    let chosen = found.filter { best < .certain || $0.score == best }
      .sorted { $0.score > $1.score }
    guard let first = chosen.first else { return .missing }
    if chosen.count == 1, best >= .certain {
      let editions = found.filter { first.name.isPlain(of: $0.name) }.flatMap(\.lines)
      return CorrectionModel(corrections(first.lines), editions: corrections(editions))
        .map(CorrectionMatch.certain) ?? .missing
    }
    let models = chosen.prefix(Self.most).compactMap { CorrectionModel(corrections($0.lines)) }
    return models.isEmpty ? .missing : .several(models)
  }

  private func corrections(_ lines: [Int]) -> [Correction] { lines.compactMap { self[$0] } }

  private struct Candidate {
    let name: ModelName
    var score = Score.possible
    var lines: [Int] = []

    init(_ name: ModelName) { self.name = name }
  }

  /// Returns the corrections whose name or source contains all words, or their beginnings.
  package func search(_ text: String, atMost limit: Int = 100) -> [Correction] {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace).map { Array($0.utf8) }
    guard !words.isEmpty else { return [] }
    var folded: [UInt8] = []
    let found = lines { name in
      folded.removeAll(keepingCapacity: true)
      for byte in name {
        folded.append((UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte)
      }
      return words.allSatisfy { folded.holds($0) }
    }
    return found.prefix(limit).compactMap { self[$0] }
  }
}

extension [UInt8] {
  fileprivate func holds(_ part: [UInt8]) -> Bool {
    guard let first = part.first, part.count <= count else { return false }
    return withUnsafeBufferPointer { bytes in
      part.withUnsafeBufferPointer { part in
        var start = 0
        let last = bytes.count - part.count
        while start <= last {
          if bytes[start] == first {
            var length = 1
            while length < part.count, bytes[start + length] == part[length] { length += 1 }
            if length == part.count { return true }
          }
          start += 1
        }
        return false
      }
    }
  }
}

private enum Score: Int, Comparable {
  /// Some words are the same, and none contradicts.
  case possible
  /// The model's name is part of the other, or more than the maker is missing.
  case likely
  /// The words are the same except for optional ones such as "Wireless".
  case certain
  case exact
  case ownMaker
  /// The name is that of a line in the table.
  case line

  static func < (one: Score, other: Score) -> Bool { one.rawValue < other.rawValue }
}

private struct WantedName {
  private let name: String
  let words: [String]
  /// Strings one of which the model's line contains; empty if there is no name.
  let anchors: [[UInt8]]

  init(_ name: String) {
    var text = name
    for prefix in ["LE_", "LE-", "LE "] where text.hasPrefix(prefix) {
      text = String(text.dropFirst(prefix.count))
    }
    self.name = text.lowercased()
    // Some makers, such as Samsung, append a part of the address: "Galaxy Buds2 Pro (3F21)".
    if text.hasSuffix(")"), let open = text.lastIndex(of: "("), text[..<open].last == " " {
      let inner = text[text.index(after: open)...].dropLast()
      if inner.count == 4, inner.allSatisfy(\.isHexDigit) { text = String(text[..<open]) }
    }
    words = ModelName(text).words
    // The bytes of a line are searched, where "+" and letters beyond ASCII differ from the words.
    let letters = ModelName.shortened(words).filter {
      !Self.affixes.contains($0) && $0 != "plus" && $0.allSatisfy(\.isASCII)
    }
    let telling = letters.filter { $0.utf8.count > 2 && !Self.qualifiers.contains($0) }
    let rest = letters.max { $0.utf8.count < $1.utf8.count }.map { [$0] } ?? []
    anchors = (telling.isEmpty ? rest : telling).map { Array($0.utf8) }
  }

  /// Words of owners and languages around a model's name.
  private static let affixes: Set = [
    "von", "de", "di", "of", "my", "mein", "mon", "les", "le", "find", "the", "la", "av",
    "van",
  ]
  /// Words that distinguish another model.
  private static let qualifiers: Set = [
    "pro", "max", "plus", "ultra", "lite", "mini", "se", "fe", "air", "nc", "anc", "sport", "live",
    "open", "active", "true", "on", "x", "i", "t", "e", "neo", "elite", "studio", "true", "solo",
    "earbuds", "buds", "ear", "clip", "go", "play", "flex", "fit", "m", "s2", "s2e", "gaming",
  ]

  func isLine(_ line: String) -> Bool { line.lowercased() == name }

  func score(_ row: ModelName, _ maker: Set<String>) -> Score? {
    let makerLength = min(ModelName.makerLength(row.base), max(0, row.base.count - 1))
    let isOwnMaker = !maker.isDisjoint(with: row.base.prefix(2))
    let hasMaker = words.starts(with: row.base.prefix(makerLength))
    let own = hasMaker ? Array(words.dropFirst(makerLength)) : words
    let its = Array(row.words.dropFirst(makerLength))
    if words.joined() == row.key { return .ownMaker }
    if own.joined() == its.joined() {
      return hasMaker || isOwnMaker ? .ownMaker : isTelling ? .exact : .likely
    }
    // The edition is unknown.
    if own.joined() == row.base.dropFirst(makerLength).joined() {
      return row.isOfYear ? .certain : .likely
    }
    let (shortOwn, shortIts) = (ModelName.shortened(own), ModelName.shortened(its))
    guard !shortOwn.isEmpty, !shortIts.isEmpty else { return nil }
    if shortOwn.joined() == shortIts.joined() {
      // A wireless model has the name of the wired one and another word.
      return ModelName.links(of: own).isSubset(of: ModelName.links(of: its)) ? .certain : .likely
    }
    // The model's name is part of one that the user gave.
    if let (before, after) = shortOwn.around(shortIts) {
      // In "Max's" and "von Max", the word is a person's name instead of the model's "Max".
      let isOwned = before.last == "s" || after.first.map(Self.affixes.contains) == true
      let rest = before.last == "s" ? after : before + (isOwned ? [] : after)
      guard !rest.contains(where: Self.isOfModel) else { return nil }
      return isOwned && shortIts.joined().count > 5
        ? .certain : shortIts.joined().count > 3 ? .likely : nil
    }
    // More than the maker is missing: "Buds2 Pro".
    let words = ModelName.shortened(row.words)
    let isEnd = (1...max(1, words.count)).contains {
      words.suffix($0).joined() == shortOwn.joined()
    }
    return isEnd ? isOwnMaker && isTelling ? .certain : .likely : nil
  }

  private var isTelling: Bool { words.count > 1 || !Self.qualifiers.contains(words.joined()) }

  private static func isOfModel(_ word: String) -> Bool {
    word.contains(where: \.isNumber) || qualifiers.contains(word)
  }
}

extension [String] {
  fileprivate func around(_ part: [String]) -> (before: [String], after: [String])? {
    guard part.count < count else { return nil }
    for start in 0...(count - part.count) where Array(self[start..<start + part.count]) == part {
      return (Array(self[..<start]), Array(self[(start + part.count)...]))
    }
    return nil
  }
}
