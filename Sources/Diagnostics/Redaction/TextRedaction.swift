internal import BluetoothCodec
public import Persistence

/// A redaction of text, which removes what identifies a person: addresses, names, serial numbers,
/// the home folder.
///
/// ```swift
/// var redaction = TextRedaction(Pseudonyms(others: ["aurora"]))
/// print(redaction.redact("F0:F1:F2:F3:F4:F5: aurora is paired"))
/// // C0:00:00:00:00:01: name1. is paired
/// ```
public struct TextRedaction: Sendable {
  private var pseudonyms: Pseudonyms
  private let home: [UInt8]?

  /// A redaction with replacements that are known before; more are learnt from the text.
  ///
  /// - Parameters:
  ///   - pseudonyms: the known replacements.
  ///   - environment: the value of a variable, of which HOME is replaced by "~".
  public init(_ pseudonyms: Pseudonyms, environment: (String) -> String? = variable) {
    self.pseudonyms = pseudonyms
    let folder = (environment("HOME") ?? "").utf8
    let path = Array(folder.last == UInt8(ascii: "/") ? folder.dropLast() : folder[...])
    home = path.isEmpty ? nil : path
  }

  /// Redacts a text.
  ///
  /// - Returns: the text without known names, addresses, the home folder and dumps of five bytes or
  ///   more.
  /// - Complexity: O(*n* · *m*) in the length of the text and the number of known texts.
  public mutating func redact(_ text: String) -> String {
    pseudonyms.learn(text.split(separator: "\n").compactMap { Self.name(in: $0) })
    let bytes = Array(text.utf8)
    var redacted: [UInt8] = []
    redacted.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let rest = bytes[index...]
      if let home, rest.starts(with: home), !rest.dropFirst(home.count).first.isWord {
        redacted.append(UInt8(ascii: "~"))
        index += home.count
      } else if !redacted.last.isWord, let address = AddressText(rest) {
        redacted += address.text(of: pseudonyms.address(for: address.address))
        index += address.count
      } else if !redacted.last.isWord, let dump = Self.bytes(at: rest) {
        // A packet in the log may contain a name or an address, so only its length is kept.
        redacted += Array("(\((dump + 1) / 3) bytes)".utf8)
        index += dump
      } else if let secret = secret(at: rest, after: redacted.last) {
        redacted += pseudonyms.text(for: secret)
        index += secret.count
      } else {
        redacted.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: redacted, as: UTF8.self)
  }

  /// The length of a hexadecimal dump of five bytes or more; `nil` if there is none.
  private static func bytes(at rest: ArraySlice<UInt8>) -> Int? {
    var index = rest.startIndex
    while index + 1 < rest.endIndex, rest[index].isHexadecimal, rest[index + 1].isHexadecimal {
      index += 2
      guard index < rest.endIndex, rest[index] == UInt8(ascii: " ") else { break }
      index += 1
    }
    // The last space belongs to the text that follows.
    if index > rest.startIndex, rest[index - 1] == UInt8(ascii: " ") { index -= 1 }
    let count = index - rest.startIndex
    return count >= 14 && !rest.dropFirst(count).first.isWord ? count : nil
  }

  /// The known text at a place, unless it is a part of a longer word.
  private func secret(at rest: ArraySlice<UInt8>, after last: UInt8?) -> [UInt8]? {
    pseudonyms.knownTexts.first { text in
      rest.starts(with: text) && !(last.isWord && text.first.isWord)
        && !(text.last.isWord && rest.dropFirst(text.count).first.isWord)
    }
  }

  /// The name of a headphone in a line of the log, even if the headphone was forgotten since.
  private static func name(in line: Substring) -> String? {
    for said in [
      " is paired", " is forgotten", " is reset", " runs firmware", " is not a headphone",
    ] {
      guard let end = line.firstRange(of: said) else { continue }
      let before = line[..<end.lowerBound]
      let start = before.lastRange(of: ": ").map(\.upperBound) ?? before.startIndex
      return String(before[start...])
    }
    return nil
  }
}

extension Substring {
  /// The last occurrence of a text.
  fileprivate func lastRange(of other: String) -> Range<Index>? { ranges(of: other).last }
}

extension UInt8 {
  /// Whether it is a hexadecimal digit in ASCII.
  fileprivate var isHexadecimal: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
      UInt8(ascii: "a")...UInt8(ascii: "f"):
      true
    default: false
    }
  }
}

extension UInt8? {
  /// Whether it is an ASCII letter or digit, so that no word begins or ends next to it.
  fileprivate var isWord: Bool {
    guard let self else { return false }
    return switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}

/// An address in text: with ":", "_" or "-", or as 12 digits.
private struct AddressText {
  let address: BluetoothAddress
  private let separator: UInt8?
  private let isUpperCase: Bool

  /// The address at the beginning of some bytes; `nil` if there is none.
  init?(_ bytes: ArraySlice<UInt8>) {
    let separators: [UInt8?] = [
      UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "-"), nil,
    ]
    for separator in separators {
      let length = separator == nil ? 12 : 17
      let text = bytes.prefix(length)
      guard text.count == length, !bytes.dropFirst(length).first.isWord else { continue }
      var digits: [UInt8] = []
      for (place, byte) in text.enumerated() {
        if separator != nil, place % 3 == 2 {
          guard byte == separator else { break }
        } else {
          digits.append(byte)
        }
      }
      guard digits.count == 12, digits.contains(where: { $0 <= UInt8(ascii: "9") }),
        let value = UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
      else { continue }
      address = BluetoothAddress(value: value)
      self.separator = separator
      isUpperCase = !digits.contains { $0 >= UInt8(ascii: "a") }
      return
    }
    return nil
  }

  /// The length in bytes.
  var count: Int { separator == nil ? 12 : 17 }

  /// Another address in the same notation.
  func text(of other: BluetoothAddress) -> [UInt8] {
    let separator = separator.map { String(decoding: [$0], as: UTF8.self) } ?? ""
    let text = other.description.split(separator: ":").joined(separator: separator)
    return Array((isUpperCase ? text : text.lowercased()).utf8)
  }
}
