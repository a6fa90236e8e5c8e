public import CompanionRuntime

/// The standard streams of a command: those of this process, or those of a client that sent it.
///
/// A command writes to its console only, so that it runs unchanged in the process that owns the link.
///
/// Data goes to standard output, everything else to standard error: output that is piped into
/// another program holds data only.
public protocol Console: Sendable {
  /// Whether questions can be asked: standard input is a terminal.
  var isInteractive: Bool { get }
  /// Whether progress may be shown: standard error may be a terminal.
  var showsProgress: Bool { get }
  /// How results may be written for people.
  var style: TextStyle { get }
  /// Whether something was written to standard output.
  var hasResponded: Bool { get }

  /// Writes a line to standard output.
  func data(_ text: String)
  /// Writes a line to standard output, and suspends until the reader has room for it.
  ///
  /// - Returns: false if nothing reads it any more.
  func deliver(_ text: String) async -> Bool
  /// Writes a message for the user to standard error, on lines of its own.
  func message(_ text: String)
  /// Writes text to standard error as it is, for a line that the next one overwrites.
  func progress(_ text: String)
  /// The next line that the user types, without the white space around it.
  ///
  /// - Returns: nil at the end of the input, or if the task is cancelled.
  @MainActor func line() async -> String?
}

extension Console {
  /// Writes a report to standard output.
  public func data(_ report: some Report, asJSON isJSON: Bool) {
    data(isJSON ? "\(report.json)" : report.text(style))
  }

  /// Reports a failure: in words on standard error and, with `--json` and unless there is a result
  /// already, as an object on standard output.
  public func report(_ failure: FailureReport, asJSON isJSON: Bool) {
    message(failure.text)
    if isJSON, !hasResponded { data("\(failure.json)") }
  }

  /// Asks a question that is answered by yes or no.
  ///
  /// - Parameter option: the command-line option that says yes without a terminal.
  /// - Returns: whether the answer is yes; false without a terminal.
  public func ask(_ question: String, orElse option: String) async -> Bool {
    guard isInteractive else {
      message("\(question)\nrun it in a terminal to answer, or use \(option)")
      return false
    }
    progress("earshot: \(question)")
    return ["y", "yes"].contains(await line()?.lowercased())
  }
}
