import ArgumentParser
import Companion
import CompanionRuntime
import Configuration
import Diagnostics
import EventLoop
import Persistence
import Sharing

/// The command `earshot log`; `--follow` waits for the file to change, without polling.
struct LogCommand: ReportingCommand, SynonymousCommand {
  static let synonyms: [Synonym] = ["events", "journal"]

  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show the log.",
    discussion: """
      In a terminal, lines look as on the log page; a file or a pipe gets every field.

      EXAMPLES:
        earshot log
        earshot log --level warning --lines 5
        earshot log aurora --follow
        earshot log --json | jq -r .text
        earshot log --redact > for-the-bug-report.txt
      """)

  @Argument(help: "Only lines that contain this text; case does not matter.")
  var filter: String?

  @Option(help: "Only lines of this level or a more severe one.")
  var level = LevelArgument(.debug)

  @Option(
    name: [.short, .long, .customShort("n"), .customLong("tail")],
    help: "The number of lines to show, counted from the end.")
  var lines = 50

  @Flag(name: .shortAndLong, help: "Show new lines as they are written, until interrupted.")
  var follow = false

  @ParentCommand var root: Earshot
  @OptionGroup(title: CommonOptions.title) var common: CommonOptions

  func validate() throws {
    guard lines >= 0 else { throw ValidationError("--lines takes no \(lines)\nit takes 0 or more") }
  }

  func run() async throws {
    let file = StateFolder().file("earshot.log")
    var redaction = options.redact ? TextRedaction(.ofThisUser) : nil
    let known =
      redaction == nil
      ? try? KnownHeadphones(
        in: StateFolder(), environment: options.environment?.rawValue
      ).all() : nil
    let names = Dictionary(
      (known ?? []).map { ($0.id.rawValue, $0.name) }, uniquingKeysWith: { first, _ in first })
    var tail = LogTail(file)
    do throws(FileError) {
      show(try tail.newLines().compactMap(record).suffix(lines), names, &redaction)
      guard follow else { return }
      let reader = Task { _ = await StandardConsole.readerHasLeft() }
      defer { reader.cancel() }
      for await _ in PollLoop.shared.changes(ofFile: file.path, eachWrite: true) {
        show(try tail.newLines().compactMap(record)[...], names, &redaction)
      }
    } catch {
      throw exitCode(for: .file(error))
    }
  }

  private func record(_ line: String) -> LogRecord? {
    guard let record = LogRecord(line: line), record.level >= level.level else { return nil }
    guard let filter else { return record }
    return line.lowercased().contains(filter.lowercased()) ? record : nil
  }

  /// Prints the records, with one redaction for all, so that a headphone keeps its pseudonym.
  private func show(
    _ records: ArraySlice<LogRecord>, _ names: [String: String], _ redaction: inout TextRedaction?
  ) {
    for var record in records {
      record.headphoneName = record.headphone.flatMap { names[$0] }
      if redaction != nil {
        record.origin = redaction?.redact(record.origin) ?? ""
        record.displayText = redaction?.redact(record.displayText) ?? ""
      }
      StandardConsole.shared.data(record, asJSON: options.json)
    }
  }
}

struct LevelArgument: ExpressibleByArgument {
  static let defaultCompletionKind = CompletionKind.list(allValueStrings)
  static let allValueStrings = LogLine.Level.allCases.map { "\($0)" }

  let level: LogLine.Level

  init(_ level: LogLine.Level) { self.level = level }

  init?(argument: String) {
    guard let level = LogLine.Level.allCases.first(where: { "\($0)" == argument }) else {
      return nil
    }
    self.level = level
  }

  var defaultValueDescription: String { "\(level)" }
}
