public import HeadphoneProtocols

/// A model of the table with all its measurements.
public struct CorrectionModel: Hashable, Sendable {
  /// Never empty: the one to use first, then those of noise modes, then other variants.
  public var corrections: [Correction]

  /// The one that is used where nothing else is chosen.
  public var first: Correction { corrections[0] }

  /// Nil: there are none.
  public init?(_ corrections: [Correction]) {
    guard !corrections.isEmpty else { return nil }
    self.corrections = corrections.enumerated().sorted { one, other in
      (Self.rank(one.element), one.offset) < (Self.rank(other.element), other.offset)
    }.map(\.element)
  }

  /// Plain measurements first, and of those the sources that are measured best.
  private static func rank(_ correction: Correction) -> Int {
    let name = ModelName(correction.name)
    let kind =
      name.variant.isEmpty ? (name.mode == nil ? 0 : name.mode == .noiseCancelling ? 1 : 2) : 3
    let source = sources.firstIndex(of: correction.source) ?? sources.count
    return kind * 10 + source
  }

  private static let sources = ["oratory1990", "crinacle", "Rtings"]

  /// Whether it was measured with noise cancelling on and off.
  public var hasModes: Bool {
    let modes = Set(corrections.compactMap(\.plainMode))
    return modes.contains(.noiseCancelling) && modes.contains(.off)
  }

  /// The correction for a noise mode, where the model was measured in several; else the first.
  ///
  /// Transparency and adaptive modes have cancelling on unless they were measured themselves.
  public func correction(in mode: ANCMode?) -> Correction {
    guard hasModes, let mode else { return first }
    let wanted: [ANCMode] = mode == .off ? [.off] : [mode, .noiseCancelling]
    return wanted.lazy.compactMap { mode in
      self.corrections.first { $0.plainMode == mode }
    }.first ?? first
  }
}

extension Correction {
  /// The noise mode, of a measurement that differs in nothing else.
  fileprivate var plainMode: ANCMode? {
    let name = ModelName(self.name)
    return name.variant.isEmpty ? name.mode : nil
  }

  /// Whether its name says a condition, so that choosing it means that one.
  var isConditional: Bool {
    let name = ModelName(self.name)
    return name.mode != nil || !name.variant.isEmpty
  }
}

/// What the table has for a headphone.
public enum CorrectionMatch: Hashable, Sendable {
  /// The model, without doubt.
  case certain(CorrectionModel)
  /// Models that it may be, the likeliest first; never empty.
  case several([CorrectionModel])
  /// The table does not have it.
  case missing
}

extension CorrectionTable {
  /// The most models that are listed.
  private static let most = 20

  /// The model of a headphone.
  ///
  /// The same words decide, whatever parts them; makers may be left out, numbers never. A name that a person gave
  /// ("Anna's AirPods Pro") may surround the model's.
  ///
  /// | certain | the model's name is the same, with or without its maker, and no other model's is |
  /// | --- | --- |
  /// | several | two makers have a model of the name, or the name leaves out more than the maker, or words besides |
  /// | none | a number differs, or a word such as "Pro" |
  ///
  /// - Parameters:
  ///   - names: as the headphone says them, the best first; the first that is certain decides.
  ///   - maker: words that name the maker, from whatever is known of the headphone.
  public func match(_ names: [String], maker: String = "") -> CorrectionMatch {
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
    var scores: [String: (score: Score, lines: [Int], maker: String)] = [:]
    var order: [String] = []
    for line in candidates {
      let name = ModelName(self.name(of: line))
      guard let score = wanted.score(name, maker) else { continue }
      let key = name.key
      if scores[key] == nil { order.append(key) }
      let best = max(score, scores[key]?.score ?? score)
      scores[key] = (best, (scores[key]?.lines ?? []) + [line], name.words.first ?? "")
    }
    let best = scores.values.map(\.score).max()
    let found = order.compactMap { scores[$0] }.filter { $0.score == best || $0.score < .certain }
      .sorted { $0.score > $1.score }
    let chosen = (best ?? .possible) >= .certain ? found.filter { $0.score == best } : found
    let models = chosen.compactMap { CorrectionModel($0.lines.compactMap { self[$0] }) }
    guard let first = models.first else { return .missing }
    if models.count == 1, let best, best >= .certain { return .certain(first) }
    return .several(Array(models.prefix(Self.most)))
  }

  /// The corrections of which the name, or who measured them, has all these words or beginnings of words.
  public func search(_ text: String, atMost limit: Int = 100) -> [Correction] {
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
  /// Whether some bytes occur one after the other.
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

/// How sure it is that two names mean one model.
private enum Score: Int, Comparable {
  /// Some words are the same, and none contradicts.
  case possible
  /// The model's name is within the other, or follows more than a maker.
  case likely
  /// The same words but those that makers leave out, such as "Wireless".
  case certain
  /// The same words.
  case exact
  /// The same words and the same maker.
  case ownMaker

  static func < (one: Score, other: Score) -> Bool { one.rawValue < other.rawValue }
}

/// The name by which a headphone calls itself.
private struct WantedName {
  let words: [String]
  /// With what stands in parentheses, for models such as "ear (stick)".
  let full: String
  /// Of the words in the line of its model, one at least is among these; empty: it has no name.
  let anchors: [[UInt8]]

  init(_ name: String) {
    var text = name
    for prefix in ["LE_", "LE-", "LE "] where text.hasPrefix(prefix) {
      text = String(text.dropFirst(prefix.count))
    }
    // Samsung's and others' end with a part of their address: "Galaxy Buds2 Pro (3F21)".
    if text.hasSuffix(")"), let open = text.lastIndex(of: "(") {
      let inner = text[text.index(after: open)...].dropLast()
      if inner.count == 4, inner.allSatisfy(\.isHexDigit) { text = String(text[..<open]) }
    }
    let model = ModelName(text)
    words = model.words
    full = ModelName.words(in: text).joined()
    let letters = model.shortened.filter { !Self.affixes.contains($0) }
    let telling = letters.filter { $0.utf8.count > 2 && !Self.qualifiers.contains($0) }
    let rest = letters.max { $0.utf8.count < $1.utf8.count }.map { [$0] } ?? []
    anchors = (telling.isEmpty ? rest : telling).map { Array($0.utf8) }
  }

  /// Words of people and languages around a model's name.
  private static let affixes: Set = [
    "s", "von", "de", "di", "of", "my", "mein", "mon", "les", "le", "find", "the", "la", "av",
    "van",
  ]
  /// Words that make another model.
  private static let qualifiers: Set = [
    "pro", "max", "plus", "ultra", "lite", "mini", "se", "fe", "air", "nc", "anc", "sport", "live",
    "open", "active", "true", "on", "x", "i", "t", "e", "neo", "elite", "studio", "true", "solo",
    "earbuds", "buds", "ear", "clip", "go", "play", "flex", "fit", "m", "s2", "s2e", "gaming",
  ]

  /// How far a model of the table is this one; nil: it is not.
  func score(_ row: ModelName, _ maker: Set<String>) -> Score? {
    let makerLength = min(ModelName.makerLength(row.words), max(0, row.words.count - 1))
    let rowMaker = Array(row.words.prefix(makerLength))
    let isOwnMaker = !maker.isDisjoint(with: row.words.prefix(2))
    let hasMaker = words.starts(with: rowMaker)
    let own = hasMaker ? Array(words.dropFirst(makerLength)) : words
    let its = Array(row.words.dropFirst(makerLength))
    if own.joined() == its.joined() || full == row.key + row.variant.replacing(" ", with: "")
      || !row.variant.isEmpty && full == its.joined() + row.variant.replacing(" ", with: "")
    {
      return hasMaker || isOwnMaker ? .ownMaker : .exact
    }
    let (shortOwn, shortIts) = (ModelName.shortened(own), ModelName.shortened(its))
    guard !shortOwn.isEmpty, !shortIts.isEmpty else { return nil }
    if shortOwn.joined() == shortIts.joined() { return .certain }
    // The name of a model within one that a person gave.
    if let (before, after) = shortOwn.around(shortIts) {
      // "Max's", "von Max": a name is no "Max" of the maker's.
      let isOwned = before.last == "s" || after.first.map(Self.affixes.contains) == true
      let rest = before.last == "s" ? after : before + (isOwned ? [] : after)
      guard !rest.contains(where: Self.isOfModel) else { return nil }
      return isOwned && shortIts.joined().count > 5
        ? .certain : shortIts.joined().count > 3 ? .likely : nil
    }
    // More than the maker is left out: "Buds2 Pro".
    let words = row.shortened
    if shortOwn.count <= words.count, words.suffix(shortOwn.count).joined() == shortOwn.joined() {
      return isOwnMaker ? .certain : .likely
    }
    for count in 1..<max(2, words.count) where words.suffix(count).joined() == shortOwn.joined() {
      return isOwnMaker ? .certain : .likely
    }
    return nil
  }

  /// Whether a word beside the model's name makes it another model.
  private static func isOfModel(_ word: String) -> Bool {
    word.contains(where: \.isNumber) || qualifiers.contains(word)
  }
}

extension [String] {
  /// The words before and after others within these; nil: those are not within.
  fileprivate func around(_ part: [String]) -> (before: [String], after: [String])? {
    guard part.count < count else { return nil }
    for start in 0...(count - part.count) where Array(self[start..<start + part.count]) == part {
      return (Array(self[..<start]), Array(self[(start + part.count)...]))
    }
    return nil
  }
}
