/// A version as its maker writes it: "4.5.2", "6A326", "1.0.1.52".
///
/// It consists of numbers and words. Numbers are compared by value, words alphabetically, and a
/// number is not compared with a word.
///
/// ```swift
/// VersionNumber("6A321")?.order(against: VersionNumber("6A326")!)  // .before
/// VersionNumber("4.5")?.order(against: VersionNumber("4.5.0")!)  // .same
/// VersionNumber("6.8.8")?.order(against: VersionNumber("6A326")!)  // nil: another scheme
/// ```
package struct VersionNumber: Hashable, Sendable, CustomStringConvertible {
  package enum Order: Hashable, Sendable { case before, same, after }

  enum Part: Hashable, Sendable {
    /// Digits without leading zeros, so that any number of them has a value; "" is 0.
    case number(String)
    case word(String)
  }

  /// The text without surrounding characters.
  package let description: String
  let parts: [Part]

  /// The longest accepted version, in bytes.
  private static let longest = 64

  /// Creates a version, or fails if it has no digit, or anything but letters, digits and
  /// separators.
  package init?(_ text: String) {
    let text = text.trimmed
    guard text.utf8.count <= Self.longest else { return nil }
    var parts: [Part] = []
    var run: [UInt8] = []
    func end() {
      guard let first = run.first else { return }
      let text = String(decoding: run, as: UTF8.self)
      parts.append(
        first.isDigit ? .number(String(text.drop { $0 == "0" })) : .word(text.uppercased()))
      run = []
    }
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: " "): end()
      case _ where byte.isDigit || byte.isLetter:
        if let last = run.last, last.isDigit != byte.isDigit { end() }
        run.append(byte)
      default: return nil
      }
    }
    end()
    if parts.first == .word("V") { parts.removeFirst() }
    guard parts.contains(where: \.isNumber) else { return nil }
    self.parts = parts
    description = text
  }

  /// Returns the order of this version and another one, or nil if they cannot be compared.
  ///
  /// Missing numbers at the end are 0. A word at the end of one of them, as in "7A294c", may mean a
  /// version before or after the other.
  package func order(against other: VersionNumber) -> Order? {
    // What follows the first part shows the scheme: 6A326 and 4.5.2 are of two makers.
    if let one = parts.element(at: 1), let two = other.parts.element(at: 1),
      one.isNumber != two.isNumber
    {
      return nil
    }
    for (one, two) in zip(parts, other.parts) {
      switch (one, two) {
      case (.number(let one), .number(let two)) where one != two:
        // Apple numbers its trial versions from 5000 on, whatever comes before or after them.
        if isAppleTrial || other.isAppleTrial { return nil }
        return (one.utf8.count, one) < (two.utf8.count, two) ? .before : .after
      case (.word(let one), .word(let two)) where one != two: return one < two ? .before : .after
      case (.number, .word), (.word, .number): return nil
      default: continue
      }
    }
    let rest = parts.dropFirst(other.parts.count) + other.parts.dropFirst(parts.count)
    guard rest.allSatisfy(\.isNumber) else { return nil }
    guard rest.contains(where: { $0 != .number("") }) else { return .same }
    return parts.count < other.parts.count ? .before : .after
  }

  /// Whether both are of one branch: their first two parts are equal, as in 6.1.168 or 6A326.
  func isOfBranch(_ other: VersionNumber) -> Bool {
    branch == other.branch
  }

  private var branch: [Part] {
    let parts = parts.count < 2 ? parts + [.number("")] : parts
    return Array(parts.prefix(2))
  }

  private var isAppleTrial: Bool {
    guard parts.count >= 3, case .word(let letter) = parts[1], letter.utf8.count == 1,
      case .number(let build) = parts[2]
    else { return false }
    return build.utf8.count >= 4 && build >= "5000"
  }
}

extension VersionNumber.Part {
  var isNumber: Bool { if case .number = self { true } else { false } }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isLetter: Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
  }
}

/// The versions that have a flaw, by the branches in which it was introduced and fixed.
package struct AffectedVersions: Hashable, Sendable {
  package enum Verdict: Hashable, Sendable {
    /// The version has the fix, or never had the flaw.
    case fixed
    case affected
    /// The branch is between those that are named, or the version is of another scheme.
    case unclear
  }

  /// The first affected version of each branch; empty if all before the fix are.
  package var introduced: [VersionNumber]
  /// The first fixed version of each branch; empty if none is known.
  package var fixed: [VersionNumber]

  package init(introduced: [VersionNumber] = [], fixed: [VersionNumber]) {
    self.introduced = introduced
    self.fixed = fixed
  }

  package func verdict(on version: VersionNumber) -> Verdict {
    guard !fixed.isEmpty else { return .unclear }
    switch Self.position(of: version, among: introduced) {
    case .before: return .fixed
    // A branch between two that have the flaw from some version on: it was made without it.
    case .between: return .fixed
    case .unclear where !introduced.isEmpty: return .unclear
    case .reached, .unclear: break
    }
    switch Self.position(of: version, among: fixed) {
    case .before: return .affected
    case .reached: return .fixed
    case .between, .unclear: return .unclear
    }
  }

  /// The first fixed version of a version's own branch, or else the newest one.
  package func fix(for version: VersionNumber?) -> VersionNumber? {
    guard let version else { return Self.newest(of: fixed) }
    return fixed.first { $0.isOfBranch(version) } ?? Self.newest(of: fixed)
  }

  private static func newest(of versions: [VersionNumber]) -> VersionNumber? {
    versions.dropFirst().reduce(versions.first) { newest, version in
      newest.flatMap { version.order(against: $0) } == .after ? version : newest
    }
  }

  private enum Position { case before, reached, between, unclear }

  private static func position(
    of version: VersionNumber, among marks: [VersionNumber]
  ) -> Position {
    let own = marks.filter { $0.isOfBranch(version) }
    let orders = (own.isEmpty ? marks : own).map { version.order(against: $0) }
    if orders.isEmpty || orders.contains(nil) { return .unclear }
    if orders.allSatisfy({ $0 == .before }) { return .before }
    return orders.contains(.before) ? .between : .reached
  }
}
