package import CompanionRuntime

/// The standard streams of a command: those of this process, or those of a client.
///
/// A command writes only to its console, so that it runs unchanged in the owner. Only data goes to
/// standard output.
package protocol Console: Sendable {
  /// Whether questions can be asked because standard input is a terminal.
  var isInteractive: Bool { get }
  /// Whether progress may be shown because standard error may be a terminal.
  var showsProgress: Bool { get }
  var style: TextStyle { get }
  var hasResponded: Bool { get }

  func data(_ text: String)
  /// Writes a line to standard output, waiting for room; returns whether anything still reads it.
  func deliver(_ text: String) async -> Bool
  /// Writes a message for the user to standard error, on separate lines.
  func message(_ text: String)
  /// Writes text to standard error unchanged, for a line that the next one overwrites.
  func progress(_ text: String)
  /// Returns the next line of standard input, trimmed, or nil at its end or on cancellation.
  @MainActor func line() async -> String?
}

extension Console {
  package func data(_ report: some Report, asJSON isJSON: Bool) {
    data(isJSON ? "\(report.json)" : report.text(style))
  }

  /// Reports a failure in words on standard error.
  ///
  /// With `--json`, and without an earlier result, an object on standard output follows.
  package func report(_ failure: FailureReport, asJSON isJSON: Bool) {
    message(failure.text)
    if isJSON, !hasResponded { data("\(failure.json)") }
  }

  /// Asks a yes-or-no question; returns false without a terminal, where `option` would answer yes.
  package func ask(_ question: String, orElse option: String) async -> Bool {
    guard isInteractive else {
      message("\(question)\nrun it in a terminal to answer, or use \(option)")
      return false
    }
    progress("earshot: \(question)")
    return ["y", "yes"].contains(await line()?.lowercased())
  }
}
