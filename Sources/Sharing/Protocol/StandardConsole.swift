internal import Companion
package import CompanionRuntime
internal import EventLoop
internal import Glibc
internal import Locking
internal import Persistence

/// The standard streams of this process.
///
/// A command whose standard output is lost fails with status 1. Standard error can be made
/// non-blocking, for processes that others depend on.
package struct StandardConsole: Console {
  package static let shared = StandardConsole()

  /// Writes to standard error while other processes depend on this one; otherwise writing blocks.
  private static let writer = Mutex<NonBlockingWriter?>(nil)
  private static let hasWritten = Atomic(false)
  /// Whether standard error shows a line of progress, which the next output replaces.
  private static let hasProgress = Atomic(false)
  /// The maximum number of message bytes that may wait for their reader.
  private static let maximumBacklog = 1 << 16
  /// The reader for the whole process, which keeps pasted lines for later questions.
  @MainActor private static let input = LineReader(STDIN_FILENO)

  /// Whether others depend on this process, which then outlives the reader of its output.
  private static let isShared = Atomic(false)
  /// A second descriptor of a terminal on standard output, for non-blocking writes, or nil.
  private static let terminal = openAgain(terminal: STDOUT_FILENO)
  /// The `errno` of the error after which a shared process discards its output, or 0.
  private static let outputFailure = Atomic<Int32>(0)

  /// Makes writing to standard error non-blocking, because other processes depend on this one.
  ///
  /// Messages beyond the backlog are dropped and counted. A closed pipe no longer ends the process
  /// (SIGPIPE).
  package static func neverBlock() {
    isShared.store(true, ordering: .relaxed)
    signal(SIGPIPE, SIG_IGN)
    writer.withLock { writer in
      guard writer == nil else { return }
      let terminal = openAgain(terminal: STDERR_FILENO)
      writer = NonBlockingWriter(
        terminal ?? STDERR_FILENO, isBlocking: terminal == nil, limit: maximumBacklog
      ) { "(\($0) messages were lost: nobody read them)\n" }
    }
  }

  /// Ends a process whose output is lost, now that no other process depends on it.
  package static func endIfOutputIsLost() {
    switch outputFailure.load(ordering: .relaxed) {
    case 0: return
    case EPIPE: EndSignals.end(by: SIGPIPE)
    case let number:
      isShared.store(false, ordering: .relaxed)
      shared.endUnseen(number)
    }
  }

  /// Waits until the pipe on standard output has no reader, which a write would only notice later.
  ///
  /// A process that nobody depends on then ends by SIGPIPE.
  ///
  /// - Returns: False if standard output is not a pipe or the task was cancelled.
  package static func readerHasLeft() async -> Bool {
    guard isPipe(STDOUT_FILENO) else { return false }
    // Only one task may wait for a descriptor, and a written line may wait for room in the pipe.
    let own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
    guard own >= 0 else { return false }
    defer { PollLoop.shared.close(own) }
    guard let readiness = try? await PollLoop.shared.readable(own),
      !readiness.isDisjoint(with: .ended)
    else { return false }
    if !isShared.load(ordering: .relaxed) {
      EndSignals.end(by: SIGPIPE)
      EndSignals.raise()
    }
    outputFailure.store(EPIPE, ordering: .relaxed)
    return true
  }

  package var isInteractive: Bool { isatty(STDIN_FILENO) == 1 }
  package var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

  package var style: TextStyle {
    guard isatty(STDOUT_FILENO) == 1, variable("TERM") != "dumb" else { return .plain }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(variable).first { !$0.isEmpty } ?? ""
    // "de_DE.UTF-8@euro"; a search for a substring would cost a seventh of a handed-over command.
    let codeset = locale.split(separator: "@").first?.split(separator: ".").last ?? ""
    guard ["utf8", "utf-8"].contains(codeset.lowercased()) else { return .plain }
    let isColorless =
      variable("NO_COLOR")?.isEmpty == false || CommandLine.arguments.contains("--no-color")
    var window = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col > 0
    return TextStyle(
      isColorless ? .monochrome : .color, columns: isKnown ? Int(window.ws_col) : nil)
  }

  package var hasResponded: Bool { Self.hasWritten.load(ordering: .relaxed) }

  package func data(_ text: String) {
    Self.hasWritten.store(true, ordering: .relaxed)
    clearProgress()
    write("\(linked(text))\n", to: STDOUT_FILENO)
  }

  package func message(_ text: String) {
    clearProgress()
    progress("earshot: \(text)\n")
  }

  /// The links of standard output, or nil if it is not a terminal that shows them.
  private static let links: TerminalLinks? =
    isatty(STDOUT_FILENO) == 1 && TerminalFeatures(variable).hasLinks ? TerminalLinks() : nil
  private static let showsPercentages = TerminalFeatures(variable).showsProgress

  private func linked(_ text: String) -> String { Self.links?.linked(text) ?? text }

  private func clearProgress() {
    if Self.hasProgress.load(ordering: .relaxed) { progress("\r\u{1B}[K") }
  }

  func reportSlowDisk() {
    message("waiting for the disk, to save the headphones and their keys; ^C ends without that")
  }

  /// Shows progress, without the percentage for a terminal that would not support its sequence.
  package func progress(_ text: String) {
    let text = Self.showsPercentages ? text : text.withoutProgressSequence
    Self.hasProgress.store(
      text.hasPrefix("\r") && text != "\r\u{1B}[K", ordering: .relaxed)
    if let writer = Self.writer.withLock({ $0 }) { return writer.send(text.utf8) }
    write(text, to: STDERR_FILENO)
  }

  /// Writes a line; a closed pipe ends the process by SIGPIPE, unless others depend on it.
  package func deliver(_ text: String) async -> Bool {
    Self.hasWritten.store(true, ordering: .relaxed)
    clearProgress()
    var rest = Array("\(linked(text))\n".utf8)[...]
    while !rest.isEmpty {
      switch Self.terminal.map({ EventLoop.write(rest, to: $0) })
        ?? writeWhatFits(rest, to: STDOUT_FILENO)
      {
      case .done(let count): rest = rest.dropFirst(count)
      case .wouldBlock:
        let awaited = Self.terminal ?? STDOUT_FILENO
        guard (try? await PollLoop.shared.writable(awaited)) != nil else { return false }
      case .failed(let number):
        endUnseen(number)
        return false
      }
    }
    return true
  }

  @MainActor
  package func line() async -> String? {
    guard let text = await Self.input.next() else { return nil }
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }

  /// Ends the process with status 1, unless others depend on it.
  private func endUnseen(_ number: Int32) {
    guard !Self.isShared.load(ordering: .relaxed) else {
      return Self.outputFailure.store(number, ordering: .relaxed)
    }
    message("standard output: \(String(cString: strerror(number)))")
    exit(ExitStatus.failed.rawValue)
  }

  /// Writes the whole text; a closed pipe ends the process by SIGPIPE.
  private func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      switch EventLoop.write(rest, to: descriptor) {
      case .done(let count): rest = rest.dropFirst(count)
      // Another program has set O_NONBLOCK on a shared open file description.
      case .wouldBlock: _ = hasCapacity(descriptor, within: -1)
      case .failed(let number):
        if descriptor == STDOUT_FILENO { endUnseen(number) }
        return
      }
    }
  }
}

extension String {
  /// The text without what ``/Companion/progressSequence(_:)`` returns.
  fileprivate var withoutProgressSequence: String {
    guard let start = firstRange(of: "\u{1B}]9;4;"),
      let end = self[start.upperBound...].firstIndex(of: "\u{07}")
    else { return self }
    return String(self[..<start.lowerBound]) + self[index(after: end)...]
  }
}
