import Testing

@testable import Companion

@Suite struct VersionNumberTests {
  @Test(
    arguments: [
      ("4.5.1", "4.5.2", .before), ("4.5.2", "4.5.2", .same), ("4.10", "4.9", .after),
      // Missing numbers are 0, zeros before a number are nothing.
      ("4.5", "4.5.0", .same), ("4.5", "4.5.1", .before), ("04.05", "4.5", .same),
      // Apple: the number after the letter is a number, not digits.
      ("6A326", "6F8", .before), ("6F8", "6F21", .before), ("6A321", "6a326", .before),
      ("5E135", "6A326", .before), ("7A294", "6F8", .after), ("1B211", "1B211", .same),
      // A trial version, whose number says nothing; a word at the end.
      ("6A5326e", "6A326", nil), ("7A294c", "7A294", nil),
      // Another scheme: the first AirPods against those with letters.
      ("6.8.8", "6A326", nil), ("1.0.1.52", "B170", nil),
      // As makers decorate them.
      ("v1.2", "1.2", .same), ("V02.30", "2.31", .before),
      ("R510XXU0AXA1", "R510XXU0AXA2", .before),
      ("196.196.101", "196.196.99", .after), ("release_5.203", "release_5.99", .after),
      // More digits than any integer has.
      ("1.99999999999999999999999999", "1.100000000000000000000000000", .before),
    ] as [(String, String, VersionNumber.Order?)])
  func `versions are compared as their makers count`(
    one: String, two: String, order: VersionNumber.Order?
  ) throws {
    let (one, two) = (try #require(VersionNumber(one)), try #require(VersionNumber(two)))
    #expect(one.order(against: two) == order)
    #expect(two.order(against: one) == order.map(\.reversed))
  }

  @Test(arguments: [
    "", "  ", "abc", "-", ".", "1.2;reboot", "1\u{1B}[31m", "é1",
    String(repeating: "1", count: 65),
  ])
  func `what is no version is none`(text: String) {
    #expect(VersionNumber(text) == nil)
  }

  /// Versions of several schemes made of few parts, so that many pairs are similar.
  private static let samples: [VersionNumber] = {
    let heads = ["1", "2", "01", "6", "10"]
    let middles = ["", ".0", ".2", ".10", "A", "F", "-5", ".x"]
    let tails = ["", ".0", "8", ".8", "326", ".326", "5326", "e"]
    return heads.flatMap { head in
      middles.flatMap { middle in tails.compactMap { VersionNumber(head + middle + $0) } }
    }
  }()

  @Test func `any two versions have opposite orders, and are the same as themselves`() {
    for one in Self.samples {
      #expect(one.order(against: one) == .same)
      for two in Self.samples {
        #expect(
          one.order(against: two) == two.order(against: one).map(\.reversed), "\(one), \(two)")
      }
    }
  }

  @Test func `orders do not contradict each other`() {
    for one in Self.samples {
      let after = Self.samples.filter { one.order(against: $0) == .before }
      for two in after {
        for three in Self.samples where two.order(against: three) == .before {
          let order = one.order(against: three)
          #expect(order == .before || order == nil, "\(one), \(two), \(three)")
        }
      }
    }
  }

  private func versions(_ text: String) -> [VersionNumber] {
    text.split(separator: " ").compactMap { VersionNumber(String($0)) }
  }

  @Test(
    arguments: [
      // One version: everything before it.
      ("", "4.5.2", "4.5.1", .affected), ("", "4.5.2", "4.5.2", .fixed),
      ("", "4.5.2", "5.0", .fixed), ("", "4.5.2", "6A1", .unclear), ("", "", "1.0", .unclear),
      // Branches: their own fix decides, between them nothing does.
      ("", "6A326 6F8", "6A325", .affected), ("", "6A326 6F8", "6A326", .fixed),
      ("", "6A326 6F8", "6F7", .affected), ("", "6A326 6F8", "6B34", .unclear),
      ("", "6A326 6F8", "5E135", .affected), ("", "6A326 6F8", "7A294", .fixed),
      // Linux: a branch came after the flaw, before it, or got it by a backport.
      ("6.6.84 6.12.20 6.14", "6.6.130 6.12.78 7.0", "6.6.83", .fixed),
      ("6.6.84 6.12.20 6.14", "6.6.130 6.12.78 7.0", "6.6.84", .affected),
      ("6.6.84 6.12.20 6.14", "6.6.130 6.12.78 7.0", "6.6.130", .fixed),
      ("6.6.84 6.12.20 6.14", "6.6.130 6.12.78 7.0", "6.1.100", .fixed),
      ("6.6.84 6.12.20 6.14", "6.6.130 6.12.78 7.0", "6.13.2", .fixed),
      ("6.6.84 6.12.20 6.14", "6.6.130 6.12.78 7.0", "6.15.3", .unclear),
      ("6.6.84 6.12.20 6.14", "6.6.130 6.12.78 7.0", "7.0.1", .fixed),
      ("6.6.84 6.12.20 6.14", "6.6.130 6.12.78 7.0", "7.2", .fixed),
      ("3.7", "6.6.140 7.0.4 7.1", "7.0.3", .affected), ("3.7", "6.6.140 7.0.4 7.1", "7.1", .fixed),
      ("3.7", "6.6.140 7.0.4 7.1", "2.6.39", .fixed),
    ] as [(String, String, String, AffectedVersions.Verdict)])
  func `a version is affected by the branch that it is of`(
    introduced: String, fixed: String, version: String, verdict: AffectedVersions.Verdict
  ) throws {
    let affected = AffectedVersions(introduced: versions(introduced), fixed: versions(fixed))
    #expect(affected.verdict(on: try #require(VersionNumber(version))) == verdict)
  }

  @Test func `the fix that is named is the one of the branch, else the newest`() {
    let affected = AffectedVersions(fixed: versions("6.1.168 7.0 6.12.80"))
    let named = ["6.1.100", "6.5.1", "6.12.1"].map {
      affected.fix(for: VersionNumber($0))?.description
    }
    #expect(named == ["6.1.168", "7.0", "6.12.80"])
    #expect(affected.fix(for: nil)?.description == "7.0")
    #expect(AffectedVersions(fixed: []).fix(for: nil) == nil)
  }
}

extension VersionNumber.Order {
  fileprivate var reversed: Self {
    switch self {
    case .before: .after
    case .same: .same
    case .after: .before
    }
  }
}
