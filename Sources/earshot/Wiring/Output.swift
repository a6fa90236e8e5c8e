import CompanionRuntime
import EventLoop
import Glibc
import Synchronization

/// Where a command's words go: data to stdout, all else to stderr.
enum Output {
  /// Set while others depend on this process: messages are not waited for then.
  private static let writer = Mutex<NonBlockingWriter?>(nil)
  /// Bytes of messages that may wait for their reader.
  private static let mostBytes = 1 << 16

  /// From now on messages are written without blocking, because other processes depend on this one.
  static func neverBlock() {
    writer.withLock {
      $0 =
        $0
        ?? NonBlockingWriter(STDERR_FILENO, limit: mostBytes) {
          "(\($0) messages were lost: nobody read them)\n"
        }
    }
  }

  static func data(_ text: String) {
    if let client = ClientRequest.current { return client.report(.output(text)) }
    write("\(text)\n", to: STDOUT_FILENO)
  }

  static func data(_ report: some Report, asJSON isJSON: Bool) {
    data(text(of: report, asJSON: isJSON))
  }

  static func text(of report: some Report, asJSON isJSON: Bool) -> String {
    isJSON ? "\(report.json)" : report.text
  }

  static func message(_ text: String) {
    if let client = ClientRequest.current { return client.report(.message(text)) }
    report("earshot: \(text)\n")
  }

  /// Sends data and waits until it is taken, which holds up nothing else in this process.
  ///
  /// - Returns: false when nobody is there to take it any more.
  static func deliver(_ text: String) async -> Bool {
    if let client = ClientRequest.current {
      client.report(.output(text))
      return await client.deliver()
    }
    var rest = Array("\(text)\n".utf8)[...]
    while !rest.isEmpty {
      switch writeWhatFits(rest, to: STDOUT_FILENO) {
      case .done(let count): rest = rest.dropFirst(count)
      case .wouldBlock:
        guard (try? await PollLoop.shared.writable(STDOUT_FILENO)) != nil else { return false }
      case .failed(let number): endUnseen(number)
      }
    }
    return true
  }

  /// A line that is written over by the next one.
  static func status(_ text: String) {
    if let client = ClientRequest.current { return client.report(.progress(text)) }
    report(text)
  }

  private static func report(_ text: String) {
    if let writer = writer.withLock({ $0 }) { return writer.send(text.utf8) }
    write(text, to: STDERR_FILENO)
  }

  /// Nobody gets the data: no command has done its work then.
  private static func endUnseen(_ number: Int32) -> Never {
    message("standard output: \(String(cString: strerror(number)))")
    exit(ExitStatus.failed.rawValue)
  }

  /// A closed pipe ends the program by SIGPIPE, as it does others in a pipe.
  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      switch EventLoop.write(rest, to: descriptor) {
      case .done(let count): rest = rest.dropFirst(count)
      // Another program has made it so, and this one may wait.
      case .wouldBlock: _ = hasCapacity(descriptor, within: -1)
      case .failed(let number):
        if descriptor == STDOUT_FILENO { endUnseen(number) }
        return
      }
    }
  }
}
