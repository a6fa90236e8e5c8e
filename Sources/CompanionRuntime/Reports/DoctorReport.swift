public import Companion
internal import HeadphoneProtocols
public import JSON

/// The report of `earshot doctor`.
public struct DoctorReport: Report, Hashable {
  private let findings: [Finding]
  private let look: Look

  /// The style of the text.
  public struct Look: Hashable, Sendable {
    /// Whether to use colours.
    public var hasColors: Bool
    /// Whether symbols may be non-ASCII.
    public var isUnicode: Bool

    public init(hasColors: Bool, isUnicode: Bool) {
      self.hasColors = hasColors
      self.isUnicode = isUnicode
    }
  }

  public init(_ findings: [Finding], look: Look = Look(hasColors: false, isUnicode: true)) {
    self.findings = findings
    self.look = look
  }

  /// The exit status: `.noAdapter` if a problem concerns the radio, `.failed` for any other, else
  /// `.ok`.
  public var status: ExitStatus {
    let problems = findings.filter { $0.state == .problem }
    return problems.isEmpty
      ? .ok : problems.contains(where: \.check.isAboutRadio) ? .noAdapter : .failed
  }

  public var json: JSON {
    [
      "schema": 1,
      "findings": .array(
        findings.map { finding in
          [
            "check": .string(finding.check.rawValue), "state": .string(finding.state.rawValue),
            "what": .string(finding.what), "remedy": JSON(finding.remedy),
          ]
        }),
    ]
  }

  public var text: String { (findings.flatMap(lines) + ["", summary]).joined(separator: "\n") }

  /// The result, and the fix alone on the next line, ready to be copied.
  private func lines(_ finding: Finding) -> [String] {
    let indent = "  "
    let state = padded(finding.state.rawValue, to: Finding.State.allCases.map(\.rawValue))
    let check = padded(finding.check.rawValue, to: Check.allCases.map(\.rawValue))
    let mark = colored("\(symbol(finding.state)) \(state)", finding.state)
    let line = "\(mark)\(indent)\(check)\(indent)\(displayable(finding.what))"
    guard let remedy = finding.remedy else { return [line] }
    let column = 2 + state.count + check.count + 2 * indent.count
    let arrow = look.isUnicode ? "→" : "->"
    return [line, String(repeating: " ", count: column) + "\(arrow) \(displayable(remedy))"]
  }

  private var summary: String {
    let counts = [Finding.State.problem, .warning].compactMap { state -> String? in
      let count = findings.count { $0.state == state }
      return count == 0 ? nil : "\(count) \(state.rawValue)\(count == 1 ? "" : "s")"
    }
    return counts.isEmpty ? "nothing to mend" : counts.joined(separator: ", ")
  }

  private func symbol(_ state: Finding.State) -> String {
    switch state {
    case .ok: look.isUnicode ? "✓" : "+"
    case .warning: "!"
    case .problem: look.isUnicode ? "✗" : "x"
    case .unknown: "?"
    }
  }

  /// Coloured green, yellow or red; the text says the same without colours.
  private func colored(_ text: String, _ state: Finding.State) -> String {
    guard look.hasColors else { return text }
    let code =
      switch state {
      case .ok: 32
      case .warning: 33
      case .problem: 31
      case .unknown: 2
      }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  private func padded(_ word: String, to others: [String]) -> String {
    let width = others.map(\.count).max() ?? 0
    return word + String(repeating: " ", count: max(0, width - word.count))
  }
}
