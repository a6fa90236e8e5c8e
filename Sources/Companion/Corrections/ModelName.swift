import HeadphoneProtocols

/// The name of a model in comparable words, and the condition of its measurement.
///
/// ```swift
/// ModelName("Apple AirPods Pro (2nd generation)").words   // apple airpods pro 2
/// ModelName("LE_WH-1000XM4").key                          // wh1000xm4
/// ```
///
/// "Buds2 Pro" and "Buds 2 Pro" have the same key. Generations become numbers, and "QC" becomes
/// QuietComfort. Text in parentheses is a condition if it reads like one, such as "(wired)".
/// Otherwise it distinguishes models, as in "Nothing ear (stick)".
struct ModelName: Hashable, Sendable {
  /// The words in lower case, without text in parentheses.
  let base: [String]
  /// The words in parentheses that are no condition: "stick", or "2" for "(2nd generation)".
  let edition: [String]
  /// The condition of the measurement except for the noise mode: "wired", "sample 1"; may be empty.
  let variant: String
  let mode: ANCMode?

  init(_ name: String) {
    var (base, edition, variants): ([String], [String], [String]) = ([], [], [])
    var mode: ANCMode?
    for (isInside, text) in Self.parts(of: name) {
      guard isInside else {
        base += Self.words(in: text)
        continue
      }
      for part in text.split(separator: ",").map({ Self.words(in: String($0)) }) {
        let named = Self.modes[part.joined(separator: " ")]
        if let named, mode == nil {
          mode = named
        } else if named != nil || part.contains(where: Self.isOfCondition) {
          variants.append(part.joined(separator: " "))
        } else {
          edition += part
        }
      }
    }
    (self.base, self.edition, self.mode) = (base, edition, mode)
    variant = variants.joined(separator: " ")
  }

  var words: [String] { base + edition }

  var key: String { words.joined() }

  func isPlain(of edition: ModelName) -> Bool {
    !edition.edition.isEmpty && edition.key != key && edition.base.joined() == key
  }

  private static let modes: [String: ANCMode] = [
    "anc on": .noiseCancelling, "anc": .noiseCancelling, "anc mode": .noiseCancelling,
    "nc on": .noiseCancelling, "active": .noiseCancelling, "noise cancelling": .noiseCancelling,
    "anc off": .off, "passive": .off, "passive mode": .off, "nc off": .off,
    "transparency": .transparency, "transparency mode": .transparency,
    "ambient": .transparency, "ambient mode": .transparency, "awareness": .transparency,
  ]

  /// Words of conditions: connection, wearing, accessories and switches.
  private static let conditions: Set = [
    "wired", "wireless", "wireled", "bluetooth", "usb", "aux", "analog", "input", "cable", "jack",
    "mm",
    "plug", "adapter", "resistor", "power", "active", "passive", "anc", "ambient",
    "sample", "serial", "seal", "contact", "worn", "earpads", "earpad", "pads", "pad", "eartips",
    "flange", "foam", "tight", "loose", "nozzle", "filter", "filters", "module", "mesh", "vent",
    "ports", "ring", "grill", "dampers", "dampening", "dampeners", "paper", "mod", "modded", "lf",
    "on", "off", "switch", "step", "setting", "mode", "preset", "eq", "dsp", "tuning", "default",
    "bass", "treble", "mid", "mids", "min", "max", "half", "clock", "boost", "sub", "driver",
    "reference", "ref", "standard", "normal", "balanced", "stock",
  ]

  private static func isOfCondition(_ word: String) -> Bool {
    conditions.contains(word) || word.hasSuffix("db")
  }

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

  /// Whether the edition is a year, which the headphone's own name never contains.
  var isOfYear: Bool {
    edition.count == 1 && Int(edition[0]).map { (1990...2099).contains($0) } == true
  }

  /// Returns the words of letters and digits in lower case; a plus is a word.
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

  private static let optional = radio.union(["headphones", "headphone", "headset", "earphones"])

  private static let radio: Set = ["wireless", "bluetooth", "bt", "tws"]

  static func links(of words: [String]) -> Set<String> { radio.intersection(words) }

  /// Returns the words without optional ones, such as "Headphones" or "Wireless" (not "true
  /// wireless").
  static func shortened(_ words: [String]) -> [String] {
    words.indices.filter { place in
      !optional.contains(words[place])
        || words[place] == "wireless" && place > 0 && words[place - 1] == "true"
    }.map { words[$0] }
  }

  private static let longMakers = [
    ["audio", "technica"], ["bang", "olufsen"], ["bowers", "wilkins"], ["cmf", "by", "nothing"],
    ["b", "o"], ["b", "w"], ["akg", "by", "harman"], ["beats", "beats"], ["beats", "by", "dre"],
  ]

  static func makerLength(_ words: [String]) -> Int {
    longMakers.first { words.starts(with: $0) }?.count ?? 1
  }
}
