import CompanionRuntime
import Glibc

/// Where a command's words go: data to stdout, all else to stderr.
enum Output {
  static func data(_ text: String) {
    if let visit = Visit.current { return visit.tell(.output(text)) }
    write(text + "\n", to: STDOUT_FILENO)
  }

  static func data(_ report: some Report, asJSON isJSON: Bool) {
    data(isJSON ? "\(report.json)" : report.text)
  }

  static func message(_ text: String) {
    if let visit = Visit.current { return visit.tell(.message(text)) }
    write("earshot: \(text)\n", to: STDERR_FILENO)
  }

  /// Waits until all is where it should be; false: nobody is there to take it any more.
  static func delivered() async -> Bool { await Visit.current?.deliver() ?? true }

  /// A line that is written over by the next one.
  static func status(_ text: String) {
    if let visit = Visit.current { return visit.tell(.progress(text)) }
    write(text, to: STDERR_FILENO)
  }

  /// A closed pipe ends the program by SIGPIPE, as it does others in a pipe.
  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        if descriptor == STDOUT_FILENO { exit(ExitStatus.failed.rawValue) }
        return
      }
      rest = rest.dropFirst(count)
    }
  }
}
