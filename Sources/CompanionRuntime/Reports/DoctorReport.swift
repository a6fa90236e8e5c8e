package import Companion
internal import HeadphoneProtocols
package import JSON

/// The report of `earshot doctor`.
///
/// ```
/// ✓ ok       kernel          Linux has Bluetooth
/// ✗ problem  power           hci0 is off
///                            → bluetoothctl power on
///
/// 1 problem
/// ```
package struct DoctorReport: ObjectReport, Hashable {
  private let results: [DiagnosticResult]
  private let look: Look

  package struct Look: Hashable, Sendable {
    package var hasColors: Bool
    /// Whether symbols may be non-ASCII.
    package var isUnicode: Bool

    package init(hasColors: Bool, isUnicode: Bool) {
      self.hasColors = hasColors
      self.isUnicode = isUnicode
    }
  }

  /// Creates the report; `results` are printed in the given order.
  package init(_ results: [DiagnosticResult], look: Look = Look(hasColors: false, isUnicode: true))
  {
    self.results = results
    self.look = look
  }

  /// The exit status: `.noAdapter` for a problem of the radio, `.failed` for any other problem.
  package var status: ExitStatus {
    let problems = results.filter { $0.state == .problem }
    return problems.isEmpty
      ? .ok : problems.contains(where: \.check.isAboutRadio) ? .noAdapter : .failed
  }

  package static let schemaName = SchemaName("doctor", "`earshot doctor --json`")

  package static let properties: [Property<Self>] = [Property("findings", \.results)]

  package var text: String { (results.flatMap(lines) + ["", summary]).joined(separator: "\n") }

  /// Returns the result's lines; the fix has its own, ready to be copied.
  private func lines(_ result: DiagnosticResult) -> [String] {
    let indent = "  "
    let state = padded(result.state.rawValue, to: DiagnosticResult.State.allCases.map(\.rawValue))
    let check = padded(result.check.rawValue, to: Check.allCases.map(\.rawValue))
    let mark = colored("\(symbol(result.state)) \(state)", result.state)
    let line = "\(mark)\(indent)\(check)\(indent)\(displayable(result.what))"
    guard let remedy = result.remedy else { return [line] }
    let column = 2 + state.count + check.count + 2 * indent.count
    let arrow = look.isUnicode ? "→" : "->"
    return [line, String(repeating: " ", count: column) + "\(arrow) \(displayable(remedy))"]
  }

  private var summary: String {
    let counts = [DiagnosticResult.State.problem, .warning].compactMap { state -> String? in
      let count = results.count { $0.state == state }
      return count == 0 ? nil : "\(count) \(state.rawValue)\(count == 1 ? "" : "s")"
    }
    return counts.isEmpty ? "nothing to fix" : counts.joined(separator: ", ")
  }

  private func symbol(_ state: DiagnosticResult.State) -> String {
    switch state {
    case .ok: look.isUnicode ? "✓" : "+"
    case .warning: "!"
    case .problem: look.isUnicode ? "✗" : "x"
    case .unknown: "?"
    }
  }

  private func colored(_ text: String, _ state: DiagnosticResult.State) -> String {
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
}

/// Returns a word with spaces after it, as wide as the widest of `others`.
func padded(_ word: String, to others: [String]) -> String {
  let width = others.map(\.count).max() ?? 0
  return word + String(repeating: " ", count: max(0, width - word.count))
}

extension DiagnosticResult: JSONObject {
  package static let properties: [Property<Self>] = [
    Property("check", \.check),
    Property("state", \.state),
    Property("what", \.what),
    Property("remedy", \.remedy, "null: there is nothing to do"),
  ]
}
