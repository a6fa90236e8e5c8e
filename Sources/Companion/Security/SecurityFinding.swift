package struct SecurityFinding: Hashable, Sendable {
  package enum Part: String, Hashable, Sendable, CaseIterable {
    case headphone, link, computer

    package var title: String {
      switch self {
      case .headphone: "Headphone"
      case .link: "Link"
      case .computer: "Computer"
      }
    }
  }

  /// The severity; the raw values are used in JSON and must not change.
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    case ok
    /// A possible weakness, or one that cannot be exploited everywhere.
    case maybe
    case act
    case unknown

    package var displayText: String { self == .unknown ? "not known" : rawValue }
  }

  package var part: Part
  /// The name of the check, which scripts compare with.
  package var check: String
  package var title: String
  package var verdict: Verdict
  /// The finding, in lower case and without a full stop; names in it are not sanitised.
  package var what: String
  package var reference: SecurityReference
  /// The remedy, or how to find out; nil if there is nothing to do.
  package var advice: Fix?

  package init(
    _ check: SecurityCheck, _ verdict: Verdict, _ what: String, reference: SecurityReference,
    advice: Fix?
  ) {
    part = check.part
    self.check = check.name
    title = check.title
    self.verdict = verdict
    self.what = what
    self.reference = reference
    self.advice = advice
  }

  /// The identifiers, date and source in one line: "CVE-2025-36911, since 2026-01-15, https://…".
  package var evidence: String {
    let since = reference.since.map { "since \($0)" }
    return (reference.identifiers + [since, reference.source].compactMap(\.self))
      .joined(separator: ", ")
  }

  /// Returns the number of findings that need something: "2 to act on, 3 maybe, 4 not known".
  package static func summary(_ findings: [SecurityFinding]) -> String {
    let words: [(Verdict, String)] = [
      (.act, "to act on"), (.maybe, "maybe"), (.unknown, "not known"),
    ]
    let counts = words.compactMap { verdict, word -> String? in
      let count = findings.count { $0.verdict == verdict }
      return count == 0 ? nil : "\(count) \(word)"
    }
    return counts.isEmpty ? "all ok" : counts.joined(separator: ", ")
  }

  package var text: String {
    "\(title) \(check) \(verdict.displayText) \(what) \(advice?.text ?? "") \(evidence)"
  }
}

/// A check of `earshot security`, which depends on nothing but facts.
package struct SecurityCheck: Sendable {
  struct Outcome {
    var verdict: SecurityFinding.Verdict
    var what: String
    var advice: Fix?
    /// The reference of a table's row; nil for that of the check.
    var reference: SecurityReference?

    init(
      _ verdict: SecurityFinding.Verdict, _ what: String, _ advice: Fix? = nil,
      reference: SecurityReference? = nil
    ) {
      self.verdict = verdict
      self.what = what
      self.advice = advice
      self.reference = reference
    }
  }

  /// The name, which scripts compare with.
  package let name: String
  package let title: String
  package let part: SecurityFinding.Part
  let examine: @Sendable (SecurityFacts) -> [Outcome]

  package static let all: [SecurityCheck] = ofHeadphone + ofLink + ofComputer

  init(
    _ name: String, _ title: String, _ part: SecurityFinding.Part,
    examine: @escaping @Sendable (SecurityFacts) -> [Outcome]
  ) {
    self.name = name
    self.title = title
    self.part = part
    self.examine = examine
  }

  static func of(
    _ part: SecurityFinding.Part, _ name: String, _ title: String,
    examine: @escaping @Sendable (HeadphoneSecurityFacts) -> [Outcome]
  ) -> SecurityCheck {
    SecurityCheck(name, title, part) { facts in
      facts.headphone.map(examine)
        ?? [Outcome(.unknown, "no headphone", "earshot scan finds one, earshot connect takes it")]
    }
  }

  /// Returns one line, or one for each known flaw.
  func findings(_ facts: SecurityFacts) -> [SecurityFinding] {
    let own =
      SecurityTables.references[name]
      ?? SecurityReference(identifiers: [name], since: nil, source: nil)
    return examine(facts).map { outcome in
      SecurityFinding(
        self, outcome.verdict, outcome.what, reference: outcome.reference ?? own,
        advice: outcome.advice)
    }
  }
}

extension SecurityFacts {
  /// The findings in the order of the checks; at least one for each check.
  package var findings: [SecurityFinding] { SecurityCheck.all.flatMap { $0.findings(self) } }
}
