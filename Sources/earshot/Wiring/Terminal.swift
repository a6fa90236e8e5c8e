import CompanionRuntime
import Glibc

/// The person at standard input, of this process or of the one that a visit is from.
enum Terminal {
  /// One reader for the whole process: what was pasted after an answer is for the next question.
  @MainActor private static let input = LineReader(STDIN_FILENO)

  static var isThere: Bool { ClientRequest.current?.hasTerminal ?? (isatty(STDIN_FILENO) == 1) }

  /// Asks for a yes.
  ///
  /// - Parameter option: what says yes where nobody can be asked.
  static func ask(_ question: String, orElse option: String) async -> Bool {
    guard isThere else {
      Output.message("\(question)\nstart in a terminal to answer, or use \(option)")
      return false
    }
    Output.status("earshot: \(question)")
    return ["y", "yes"].contains(await line()?.lowercased())
  }

  /// A line, without the spaces around it; nil at the end of input, or if the task is cancelled.
  @MainActor
  static func line() async -> String? {
    if let client = ClientRequest.current { return await client.line() }
    guard let text = await input.next() else { return nil }
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }
}
