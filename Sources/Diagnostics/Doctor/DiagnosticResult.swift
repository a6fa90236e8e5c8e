public import Companion
internal import Glibc

/// The result of one check of `earshot doctor`.
public struct DiagnosticResult: Hashable, Sendable {
  /// What was checked.
  public var check: Check
  public var state: Finding.State
  /// What was seen, lower case and without a full stop; names in it are as others gave them.
  public var what: String
  /// What to do about it; nil if nothing is to be done.
  public var fix: Fix?

  public init(_ check: Check, _ state: Finding.State, _ what: String, fix: Fix? = nil) {
    self.check = check
    self.state = state
    self.what = what
    self.fix = fix
  }

  /// The text of ``fix``.
  var remedy: String? { fix?.text }

  /// The result as the screen and the reports show it.
  public var finding: Finding { Finding(check, state, what, remedy: remedy) }
}

/// What to do about a problem.
public enum Fix: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// Commands that the program may run, one after the other, once the user agrees.
  case commands([FixCommand])
  /// What only the user can do, in words.
  case advice(String)

  public init(stringLiteral advice: String) { self = .advice(advice) }

  /// One command that the program may run.
  static func command(_ arguments: String..., asRoot: Bool = false) -> Fix {
    .commands([FixCommand(arguments, needsRoot: asRoot)])
  }

  /// The commands as a shell takes them, or the advice.
  public var text: String {
    switch self {
    case .commands(let commands): commands.map(\.description).joined(separator: " && ")
    case .advice(let text): text
    }
  }

  /// Whether the program may run it.
  public var isRunnable: Bool {
    if case .commands = self { true } else { false }
  }

  /// Whether this process is root.
  public static var isRoot: Bool { geteuid() == 0 }

  /// Whether root runs it.
  ///
  /// - Parameter isRoot: whether this process is root, so that it runs every command as root.
  public func runsAsRoot(isRoot: Bool = Self.isRoot) -> Bool {
    guard case .commands(let commands) = self else { return false }
    return isRoot || commands.contains(where: \.needsRoot)
  }

  /// Runs the commands with this terminal, up to the first that fails.
  ///
  /// - Returns: the exit status of the last that ran; 128 and more for the signal that ended it.
  public func run() -> Int32 {
    guard case .commands(let commands) = self else { return 0 }
    for command in commands {
      let status = command.run()
      if status != 0 { return status }
    }
    return 0
  }
}

/// A command of a ``Fix``, run without a shell.
public struct FixCommand: Hashable, Sendable, CustomStringConvertible {
  /// The name of the program, then its arguments.
  public var arguments: [String]
  public var needsRoot: Bool

  public init(_ arguments: [String], needsRoot: Bool = false) {
    self.arguments = arguments
    self.needsRoot = needsRoot
  }

  /// As a shell takes it: `sudo setcap …`.
  public var description: String {
    ((needsRoot ? ["sudo"] : []) + arguments).map(quotedForShell).joined(separator: " ")
  }

  fileprivate func run() -> Int32 {
    let words = (needsRoot && !Fix.isRoot ? ["sudo"] : []) + arguments
    var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    // This process blocks signals, which the command would inherit: ^C must end it.
    var (attributes, none, all) = (posix_spawnattr_t(), sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var process: pid_t = 0
    guard let name = words.first,
      posix_spawnp(&process, name, nil, &attributes, &pointers, environ) == 0
    else { return 127 }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return 127 } }
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}

extension [DiagnosticResult] {
  /// What the program may run, each once, in the order in which it helps.
  public var runnableFixes: [Fix] {
    reduce(into: []) { fixes, result in
      guard result.state == .problem || result.state == .warning, let fix = result.fix,
        fix.isRunnable, !fixes.contains(fix)
      else { return }
      fixes.append(fix)
    }
  }
}

/// A text as one word of a shell's command, in quotes where it needs them.
func quotedForShell(_ word: String) -> String {
  let isPlain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: ","):
      true
    default: false
    }
  }
  return isPlain
    ? word
    : "'\(word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#))'"
}
