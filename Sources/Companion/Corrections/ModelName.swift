import HeadphoneProtocols

/// The name of a model in comparable words, and the condition in which it was measured.
///
/// ```swift
/// ModelName("Apple AirPods Pro (2nd generation)").words   // apple airpods pro 2
/// ModelName("LE_WH-1000XM4").key                          // wh1000xm4
/// ```
///
/// "Buds2 Pro" and "Buds 2 Pro" have the same key: words are joined. Generations are numbers, however they are written;
/// "QC" is QuietComfort.
struct ModelName: Hashable, Sendable {
  /// In lower case, without what stands in parentheses unless that is a number or a generation.
  let words: [String]
  /// What stands in parentheses and is no noise mode: "wired", "sample 1"; empty: nothing.
  let variant: String
  /// The noise mode of the measurement; nil: the name says none.
  let mode: ANCMode?

  init(_ name: String) {
    var (words, variants): ([String], [String]) = ([], [])
    var mode: ANCMode?
    for (isInside, text) in Self.parts(of: name) {
      guard isInside else {
        words += Self.words(in: text)
        continue
      }
      let inner = Self.words(in: text)
      if Self.isNumber(inner) {
        words += inner
        continue
      }
      for part in text.split(separator: ",") {
        let condition = Self.words(in: String(part))
        if let named = Self.modes[condition.joined(separator: " ")], mode == nil {
          mode = named
        } else if !condition.isEmpty {
          variants.append(condition.joined(separator: " "))
        }
      }
    }
    self.words = words
    self.variant = variants.joined(separator: " ")
    self.mode = mode
  }

  /// The words joined.
  var key: String { words.joined() }

  /// Without words that makers add or leave out: "Wireless", "Headphones".
  var shortened: [String] { Self.shortened(words) }

  /// Names that mean a mode, as those who measure write them.
  private static let modes: [String: ANCMode] = [
    "anc on": .noiseCancelling, "anc": .noiseCancelling, "anc mode": .noiseCancelling,
    "nc on": .noiseCancelling, "active": .noiseCancelling, "noise cancelling": .noiseCancelling,
    "anc off": .off, "passive": .off, "passive mode": .off, "nc off": .off,
    "transparency": .transparency, "transparency mode": .transparency,
    "ambient": .transparency, "ambient mode": .transparency, "awareness": .transparency,
  ]

  /// The name, cut at its parentheses.
  private static func parts(of name: String) -> [(isInside: Bool, text: String)] {
    var parts: [(Bool, String)] = []
    var (text, isInside) = ("", false)
    for character in name {
      guard character == "(" || character == ")" else {
        text.append(character)
        continue
      }
      parts.append((isInside, text))
      (text, isInside) = ("", character == "(")
    }
    parts.append((isInside, text))
    return parts.filter { !$0.1.isEmpty }
  }

  /// Whether what stands in parentheses belongs to the name of the model: "(2nd generation)", "(2)".
  private static func isNumber(_ words: [String]) -> Bool {
    guard words.count == 1, let number = Int(words[0]) else { return false }
    return number < 100
  }

  /// Letters and digits in lower case; other characters part words, and a plus is a word.
  static func words(in text: String) -> [String] {
    var words: [String] = []
    var word = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "a"..."z", "0"..."9": word.unicodeScalars.append(scalar)
      case "A"..."Z": word.unicodeScalars.append(Unicode.Scalar(UInt8(scalar.value) | 0x20))
      case _ where !scalar.isASCII && scalar.properties.isAlphabetic:
        word += scalar.properties.lowercaseMapping
      default:
        if !word.isEmpty { words.append(word) }
        word = ""
        if scalar == "+" { words.append("plus") }
      }
    }
    if !word.isEmpty { words.append(word) }
    return normalised(words)
  }

  private static let numerals = ["ii": "2", "iii": "3", "iv": "4", "mk2": "2", "mkii": "2"]
  private static let ordinals = ["1st": "1", "2nd": "2", "3rd": "3", "4th": "4", "5th": "5"]

  /// Generations as numbers, abbreviations in full.
  private static func normalised(_ words: [String]) -> [String] {
    var result: [String] = []
    for word in words {
      switch word {
      case "generation", "gen": continue
      case "mk", "mark": continue
      case "qc": result.append("quietcomfort")
      case "tw": result += ["true", "wireless"]
      case _ where word.hasPrefix("qc") && word.dropFirst(2).allSatisfy(\.isNumber):
        result += ["quietcomfort", String(word.dropFirst(2))]
      case _ where word.hasSuffix("mk2") || word.hasSuffix("mkii"):
        if let number = numerals[word] {
          result.append(number)
        } else {
          result += [
            word.hasSuffix("mk2") ? String(word.dropLast(3)) : String(word.dropLast(4)), "2",
          ]
        }
      default: result.append(numerals[word] ?? ordinals[word] ?? word)
      }
    }
    return result
  }

  private static let optional: Set = [
    "wireless", "headphones", "headphone", "headset", "earphones", "bluetooth", "tws", "bt",
  ]

  /// "true wireless" is another kind than "wireless", and stays.
  static func shortened(_ words: [String]) -> [String] {
    words.indices.filter { place in
      !optional.contains(words[place])
        || words[place] == "wireless" && place > 0 && words[place - 1] == "true"
    }.map { words[$0] }
  }

  /// Makers of several words, of which names may leave out all.
  private static let longMakers = [
    ["audio", "technica"], ["bang", "olufsen"], ["bowers", "wilkins"], ["cmf", "by", "nothing"],
    ["b", "o"], ["b", "w"], ["akg", "by", "harman"], ["beats", "beats"], ["beats", "by", "dre"],
  ]

  /// The number of words at the beginning that name the maker.
  static func makerLength(_ words: [String]) -> Int {
    longMakers.first { words.starts(with: $0) }?.count ?? 1
  }
}
