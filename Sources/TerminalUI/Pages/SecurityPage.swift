internal import Companion

extension PageView {
  static let security = PageView(.security) { $0.securityPage($1, line: $2.line ?? 0) }
}

extension Drawing {
  /// Draws the findings with their remedies: Enter runs one after a question, `y` copies it.
  mutating func securityPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      let findings = state.securityFindings
      let box = Box(
        title: "SECURITY", isFocused: true,
        note: state.filter.isEmpty
          ? findings.map(SecurityFinding.summary) ?? "" : drawing.searchNote(state))
      let inner = drawing.frame(box, area)
      guard let findings else { return drawing.checking(inner) }
      drawing.checkLines(
        findings.map(CheckLine.init), titles: SecurityCheck.all.map(\.title), state, cursor: line,
        inner)
    }
  }
}

extension CheckLine {
  fileprivate init(_ finding: SecurityFinding) {
    let mark: Mark =
      switch finding.verdict {
      case .ok: .passed
      case .maybe: .doubtful
      case .act: .failed
      case .unknown: .unknown
      }
    self.init(
      mark: mark, word: finding.verdict.displayText, title: finding.title,
      slug: finding.part.rawValue, what: finding.what,
      remedy: finding.advice?.text,
      evidence: finding.verdict == .ok || finding.reference.source == nil ? nil : finding.evidence,
      text: finding.text)
  }
}
