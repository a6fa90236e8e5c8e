package struct DiagnosticResult: Hashable, Sendable {
  package var check: Check
  package var state: State
  /// The finding, in lower case and without a full stop; names in it are not sanitised.
  package var what: String
  package var fix: Fix?

  /// The severity of a result, whose raw values are used in JSON and must not change.
  package enum State: String, Hashable, Sendable, CaseIterable {
    case ok
    /// The feature works, but something is missing.
    case warning
    case problem
    case unknown
  }

  package init(_ check: Check, _ state: State, _ what: String, fix: Fix? = nil) {
    self.check = check
    self.state = state
    self.what = what
    self.fix = fix
  }

  package var remedy: String? { fix?.text }
}

/// The remedy for a problem; a string literal is advice: `"plug an adapter in"`.
package enum Fix: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// Commands that the program may run in order, with the user's consent.
  case commands([FixCommand])
  /// An instruction for what only the user can do.
  case advice(String)

  package init(stringLiteral advice: String) { self = .advice(advice) }

  /// Creates a fix of one command; `arguments` begin with the program's name.
  package static func command(_ arguments: String..., asRoot: Bool = false) -> Fix {
    .commands([FixCommand(arguments, needsRoot: asRoot)])
  }

  /// The commands in the syntax of a shell, or the advice.
  package var text: String {
    switch self {
    case .commands(let commands): commands.map(\.description).joined(separator: " && ")
    case .advice(let text): text
    }
  }

  package var isRunnable: Bool {
    if case .commands = self { true } else { false }
  }
}

/// A command of a ``Fix``, run without a shell, so that no argument is expanded.
package struct FixCommand: Hashable, Sendable, CustomStringConvertible {
  package var arguments: [String]
  package var needsRoot: Bool

  package init(_ arguments: [String], needsRoot: Bool = false) {
    self.arguments = arguments
    self.needsRoot = needsRoot
  }

  /// The command in the syntax of a shell, with quotes where needed: `sudo setcap …`.
  package var description: String {
    ((needsRoot ? ["sudo"] : []) + arguments).map(quotedForShell).joined(separator: " ")
  }
}

extension [DiagnosticResult] {
  /// The distinct runnable fixes of warnings and problems, in the order of the checks.
  package var runnableFixes: [Fix] {
    reduce(into: []) { fixes, result in
      guard result.state == .problem || result.state == .warning, let fix = result.fix,
        fix.isRunnable, !fixes.contains(fix)
      else { return }
      fixes.append(fix)
    }
  }
}

/// Returns `word` in single quotes for a shell, or unchanged if it needs none.
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
  package var text: String { "\(check.title) \(check.rawValue) \(what) \(remedy ?? "")" }
}
