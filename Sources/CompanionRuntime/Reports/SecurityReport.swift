package import Companion
internal import HeadphoneProtocols
package import JSON

/// The report of `earshot security`.
package struct SecurityReport: ObjectReport, Hashable {
  private let headphone: String?
  private let findings: [SecurityFinding]

  package init(_ facts: SecurityFacts) {
    headphone = facts.headphone?.name
    findings = facts.findings
  }

  package var actions: Int { findings.count { $0.verdict == .act } }

  package static let schemaName = SchemaName("security", "`earshot security --json`")

  package static let properties: [Property<Self>] = [
    Property("headphone", \.headphone, "its name; null: none was found"),
    Property("findings", \.findings),
  ]

  package var text: String { text(.plain) }

  package func text(_ style: TextStyle) -> String {
    let parts = SecurityFinding.Part.allCases.flatMap { part in
      [style.paint(heading(part), .chosen)]
        + findings.filter { $0.part == part }.flatMap { lines($0, style) } + [""]
    }
    return (parts + [SecurityFinding.summary(findings)]).joined(separator: "\n")
  }

  private func heading(_ part: SecurityFinding.Part) -> String {
    guard part == .headphone, let headphone else { return part.title }
    return "\(part.title): \(displayable(headphone))"
  }

  /// Returns a finding, and on lines of their own, ready to be copied, its advice and its source.
  private func lines(_ finding: SecurityFinding, _ style: TextStyle) -> [String] {
    let verdicts = SecurityFinding.Verdict.allCases.map(\.displayText)
    let mark = style.ink == .plain ? "" : finding.verdict.mark + " "
    let verdict = mark + padded(finding.verdict.displayText, to: verdicts)
    let check = padded(finding.check, to: SecurityCheck.all.map(\.name))
    let indent = String(repeating: " ", count: verdict.count + check.count + 4)
    let first =
      style.paint(verdict, finding.verdict.paint) + "  \(check)  \(displayable(finding.what))"
    let arrow = style.ink == .plain ? "->" : "→"
    let advice = finding.advice.map { "\(arrow) \(displayable($0.text))" }
    let hasSource = finding.verdict != .ok && finding.reference.source != nil
    return [first]
      + [advice, hasSource ? finding.evidence : nil].compactMap(\.self).map { indent + $0 }
  }
}

extension SecurityFinding.Verdict {
  fileprivate var mark: String {
    switch self {
    case .ok: "✓"
    case .maybe: "!"
    case .act: "✗"
    case .unknown: "?"
    }
  }

  fileprivate var paint: Paint {
    switch self {
    case .ok: .good
    case .maybe: .warning
    case .act: .bad
    case .unknown: .label
    }
  }
}

extension SecurityFinding: JSONObject {
  package static let properties: [Property<Self>] = [
    Property("part", \.part),
    Property("check", \.check, among: SecurityCheck.all.map(\.name)),
    Property("verdict", \.verdict, "`unknown`: it could not be read"),
    Property("what", \.what),
    Property("identifiers", \.reference.identifiers, "CVE numbers, or the name of the check"),
    Property("since", \.reference.since, "a date; null: the check is about many flaws"),
    Property("source", \.reference.source, "a URL; null: the check is about many flaws"),
    Property("advice", \.advice?.text, "null: there is nothing to do"),
  ]
}
