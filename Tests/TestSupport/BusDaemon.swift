internal import Glibc

/// A real D-Bus daemon for one test, which cannot outlive it.
package final class BusDaemon {
  package let address: String
  private let folder: String
  private var process: ChildProcess?

  /// Starts the daemon, and returns once it listens.
  package init() throws {
    var template = Array("/tmp/earshot-bus-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw RigFailure("mkdtemp: errno \(errno)") }
    folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    address = "unix:path=\(folder)/bus"
    try start()
  }

  /// Restarts the daemon at the same address, and returns once it listens.
  package func start() throws {
    process = try ChildProcess(
      [
        "/usr/bin/env", "dbus-daemon", "--session", "--nofork", "--nopidfile",
        "--address=\(address)",
      ],
      environment: ["PATH": "/usr/bin:/bin"], log: folder + "/log")
    try waitForSocket(folder + "/bus")
  }

  package func end() { process?.end() }

  deinit {
    end()
    for file in ["bus", "log"] { unlink("\(folder)/\(file)") }
    rmdir(folder)
  }
}
