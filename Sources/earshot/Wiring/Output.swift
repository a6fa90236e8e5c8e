import CompanionRuntime
import Descriptors
import Glibc

/// Where a command's words go: data to stdout, all else to stderr.
enum Output {
  static func data(_ text: String) {
    if let visit = Visit.current { return visit.tell(.output(text)) }
    write("\(text)\n".utf8, to: STDOUT_FILENO)
  }

  static func data(_ report: some Report, asJSON isJSON: Bool) {
    data(isJSON ? "\(report.json)" : report.text)
  }

  static func message(_ text: String) {
    if let visit = Visit.current { return visit.tell(.message(text)) }
    write("earshot: \(text)\n".utf8, to: STDERR_FILENO)
  }

  /// Sends data and waits until it is taken, which holds up nothing else in this process.
  ///
  /// - Returns: false when nobody is there to take it any more.
  static func deliver(_ text: String) async -> Bool {
    if let visit = Visit.current {
      visit.tell(.output(text))
      return await visit.deliver()
    }
    var rest = Array("\(text)\n".utf8)[...]
    while !rest.isEmpty {
      guard (try? await PollLoop.shared.writable(STDOUT_FILENO)) != nil else { return false }
      // What is writable takes as many bytes at once, a pipe as well as a terminal.
      write(rest.prefix(256), to: STDOUT_FILENO)
      rest = rest.dropFirst(256)
    }
    return true
  }

  /// A line that is written over by the next one.
  static func status(_ text: String) {
    if let visit = Visit.current { return visit.tell(.progress(text)) }
    write(text.utf8, to: STDERR_FILENO)
  }

  /// A closed pipe ends the program by SIGPIPE, as it does others in a pipe.
  private static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) {
    var rest = Array(bytes)[...]
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
