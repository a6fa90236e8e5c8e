internal import BluetoothCodec
internal import Companion
internal import Persistence

/// A redaction of text: addresses, names, serial numbers and the home folder are replaced.
///
/// ```swift
/// var redaction = TextRedaction(Pseudonyms(others: ["aurora"]))
/// print(redaction.redact("F0:F1:F2:F3:F4:F5: aurora is paired"))
/// // C0:00:00:00:00:01: name1. is paired
/// ```
package struct TextRedaction: Sendable {
  private var pseudonyms: Pseudonyms
  private let home: [UInt8]?

  /// Creates a redaction that replaces the value of HOME by "~", and learns more from the text.
  package init(_ pseudonyms: Pseudonyms, environment: (String) -> String? = variable) {
    self.pseudonyms = pseudonyms
    let folder = (environment("HOME") ?? "").utf8
    let path = Array(folder.last == UInt8(ascii: "/") ? folder.dropLast() : folder[...])
    home = path.isEmpty ? nil : path
  }

  /// Returns `text` with all that may identify a person replaced.
  ///
  /// That is known names, addresses, the home folder, the output of hooks, and hex dumps of five
  /// bytes or more.
  package mutating func redact(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    pseudonyms.learn(lines.compactMap { Self.name(in: $0) })
    let bytes = Array(lines.map(Self.withoutOutput).joined(separator: "\n").utf8)
    var redacted: [UInt8] = []
    redacted.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      let rest = bytes[index...]
      if let home, rest.starts(with: home), !rest.dropFirst(home.count).first.isWord {
        redacted.append(UInt8(ascii: "~"))
        index += home.count
      } else if !redacted.last.isWord, let address = AddressText(rest),
        address.isCertain || pseudonyms.isKnown(address.address)
      {
        redacted += address.text(of: pseudonyms.address(for: address.address))
        index += address.count
      } else if !redacted.last.isWord, let dump = Self.bytes(at: rest) {
        // A packet in the log may contain a name or an address, so only its length is kept.
        redacted += Array("(\((dump + 1) / 3) bytes)".utf8)
        index += dump
      } else if let secret = secret(at: rest, after: redacted.last) {
        redacted += secret.new
        index += secret.old.count
      } else {
        redacted.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: redacted, as: UTF8.self)
  }

  /// Returns a line of the log without the output of a hook's command, which may be anything.
  private static func withoutOutput(_ line: Substring) -> Substring {
    guard line.contains("hook ") else { return line }
    let beginnings = Hook.allCases.lazy.map { "hook \($0.rawValue): " }
    let end = beginnings.compactMap { line.firstRange(of: $0)?.upperBound }.first
    return end.map { line[..<$0] + "…" } ?? line
  }

  /// Returns the length of a hex dump of five bytes or more at the beginning, or nil.
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

  /// Returns the known text at the beginning of `rest`, unless it is a part of a longer word.
  private func secret(
    at rest: ArraySlice<UInt8>, after last: UInt8?
  ) -> Pseudonyms.Replacement? {
    pseudonyms.known(at: rest) { text in
      !(last.isWord && text.first.isWord)
        && !(text.last.isWord && rest.dropFirst(text.count).first.isWord)
    }
  }

  /// Returns a headphone's name in a line of the log, also of one that was forgotten since.
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
  fileprivate func lastRange(of other: String) -> Range<Index>? { ranges(of: other).last }
}

extension UInt8 {
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
  /// Whether this is an ASCII letter or digit, so that no word begins or ends next to it.
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
  /// Whether the text has separators or a decimal digit, and so cannot be a word.
  let isCertain: Bool

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
      guard digits.count == 12, digits.allSatisfy(\.isHexadecimal),
        let value = UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
      else { continue }
      isCertain = separator != nil || digits.contains { $0 <= UInt8(ascii: "9") }
      address = BluetoothAddress(value: value)
      self.separator = separator
      isUpperCase = !digits.contains { $0 >= UInt8(ascii: "a") }
      return
    }
    return nil
  }

  var count: Int { separator == nil ? 12 : 17 }

  func text(of other: BluetoothAddress) -> [UInt8] {
    let separator = separator.map { String(decoding: [$0], as: UTF8.self) } ?? ""
    let text = other.description.split(separator: ":").joined(separator: separator)
    return Array((isUpperCase ? text : text.lowercased()).utf8)
  }
}
