public import Companion
internal import Glibc

/// A command that mends what the doctor found, and that a program may run for a person.
public struct Repair: Hashable, Sendable {
  /// As a shell takes it.
  public let command: String
  /// It becomes root by itself, or is root already.
  public let needsRoot: Bool

  /// Nil: nothing is to be mended, or only the person can do it.
  ///
  /// - Parameter isRoot: whether this process is root, so that every command would be.
  public init?(_ finding: Finding, isRoot: Bool = Self.isRoot) {
    guard finding.state == .problem || finding.state == .warning, let remedy = finding.remedy,
      Self.beginnings[finding.check, default: []].contains(where: remedy.hasPrefix)
    else { return nil }
    command = remedy
    needsRoot = isRoot || remedy.hasPrefix("sudo ")
  }

  /// Whether this process is root.
  public static var isRoot: Bool { geteuid() == 0 }

  /// What is run at most, by what it mends; other kernels, packages and shells' variables never.
  private static let beginnings: [Check: [String]] = [
    .kernel: ["sudo modprobe bluetooth"],
    .rfkill: ["rfkill unblock bluetooth"],
    .power: ["bluetoothctl power on", "sudo btmgmt --index "],
    .netRaw: ["sudo setcap ", "sudo install "],
    .netAdmin: ["sudo setcap ", "sudo install "],
    .bluetoothd: ["sudo systemctl start bluetooth"],
    .soundServer: ["systemctl --user start ", "systemctl --user restart "],
    .stateFolder: ["chmod 700 ", "mv ", "sudo chown -R "],
  ]

  /// Runs it with this terminal; its exit status, 128 and more for the signal that ended it.
  public func run() -> Int32 {
    var process: pid_t = 0
    let displayText: [String] = ["sh", "-c", command]
    var arguments: [UnsafeMutablePointer<CChar>?] = displayText.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    guard posix_spawn(&process, "/bin/sh", nil, nil, &arguments, environ) == 0 else { return 127 }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return 127 } }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}

extension [Finding] {
  /// What can be run, each command once, in the order in which it helps.
  public var repairs: [Repair] {
    reduce(into: []) { repairs, finding in
      guard let repair = Repair(finding), !repairs.contains(repair) else { return }
      repairs.append(repair)
    }
  }
}
