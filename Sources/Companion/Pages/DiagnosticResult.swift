/// The result of one check of `earshot doctor`.
///
/// ```swift
/// DiagnosticResult(
///   .power, .problem, "hci0 is off", fix: .command("bluetoothctl", "power", "on"))
/// ```
public struct DiagnosticResult: Hashable, Sendable {
  /// What was checked.
  public var check: Check
  /// How serious it is.
  public var state: State
  /// What was seen, lower case and without a full stop; names in it are as others gave them.
  public var what: String
  /// What to do about it; nil if nothing is to be done.
  public var fix: Fix?

  /// The seriousness of a result; the raw values stand in JSON and are fixed.
  public enum State: String, Hashable, Sendable, CaseIterable {
    case ok
    /// Works, with something missing.
    case warning
    /// Something does not work.
    case problem
    /// It cannot be checked.
    case unknown
  }

  public init(_ check: Check, _ state: State, _ what: String, fix: Fix? = nil) {
    self.check = check
    self.state = state
    self.what = what
    self.fix = fix
  }

  /// The text of ``fix``.
  public var remedy: String? { fix?.text }
}

/// The remedy for a problem.
///
/// A string literal is advice: `"plug an adapter in"`.
public enum Fix: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// Commands that the program may run one after the other, once the user agrees.
  case commands([FixCommand])
  /// Something that only the user can do, in words.
  case advice(String)

  public init(stringLiteral advice: String) { self = .advice(advice) }

  /// A single command that the program may run.
  ///
  /// - Parameters:
  ///   - arguments: the program's name, then its arguments.
  ///   - asRoot: whether it needs `sudo`.
  public static func command(_ arguments: String..., asRoot: Bool = false) -> Fix {
    .commands([FixCommand(arguments, needsRoot: asRoot)])
  }

  /// The commands as a shell takes them, or the advice.
  public var text: String {
    switch self {
    case .commands(let commands): commands.map(\.description).joined(separator: " && ")
    case .advice(let text): text
    }
  }

  /// Whether the program may run it, with the user's consent.
  public var isRunnable: Bool {
    if case .commands = self { true } else { false }
  }
}

/// A command of a ``Fix``, which is run without a shell: no argument is expanded.
public struct FixCommand: Hashable, Sendable, CustomStringConvertible {
  /// The program's name, then its arguments.
  public var arguments: [String]
  /// Whether it is run by `sudo`.
  public var needsRoot: Bool

  public init(_ arguments: [String], needsRoot: Bool = false) {
    self.arguments = arguments
    self.needsRoot = needsRoot
  }

  /// The command as a shell takes it, with quotes where they are needed: `sudo setcap …`.
  public var description: String {
    ((needsRoot ? ["sudo"] : []) + arguments).map(quotedForShell).joined(separator: " ")
  }
}

extension [DiagnosticResult] {
  /// The fixes of warnings and problems that the program may run, each once, in the order in which
  /// they help.
  public var runnableFixes: [Fix] {
    reduce(into: []) { fixes, result in
      guard result.state == .problem || result.state == .warning, let fix = result.fix,
        fix.isRunnable, !fixes.contains(fix)
      else { return }
      fixes.append(fix)
    }
  }
}

/// A text as one word of a shell's command, in single quotes unless it is plain.
private func quotedForShell(_ word: String) -> String {
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

extension DiagnosticResult {
  /// What a search finds.
  public var text: String { "\(check.title) \(check.rawValue) \(what) \(remedy ?? "")" }
}
