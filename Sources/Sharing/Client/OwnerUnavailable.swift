public import CompanionRuntime

/// Why the owner of the link did not bring a client's command to its end.
///
/// A command whose owner ended is repeated only if it is idempotent; otherwise this error says
/// whether it may have taken effect, so that the user can look before trying again. Its exit status
/// is 5.
public struct OwnerUnavailable: Error, Hashable, Sendable {
  /// The problem with the owner; the number is its process ID, if known.
  public enum Problem: Hashable, Sendable {
    /// It exited.
    case left
    /// It was stopped (^Z, SIGSTOP).
    case stopped(Int32?)
    /// It does not answer, and the kernel does not say why.
    case silent(Int32?)
    /// It runs a command of its own, which takes too long.
    case busy(Int32?)
  }

  public var problem: Problem
  /// Whether the command may have taken effect.
  public var mayBeDone: Bool

  public init(_ problem: Problem, mayBeDone: Bool) {
    self.problem = problem
    self.mayBeDone = mayBeDone
  }

  /// What happened to the command, and what to do about it.
  public var failure: FailureReport {
    let consequence = mayBeDone ? "; it may or may not have been done" : "; nothing was done"
    return FailureReport(
      what: "\(problem.message)\(consequence)", advice: problem.advice,
      code: ExitStatus.linkLost.rawValue)
  }
}

extension OwnerUnavailable.Problem {
  /// For a client that still waits: what happened and what to do, in two lines.
  public var messageAndAdvice: String { "\(message)\n\(advice)" }

  /// What happened, in one line.
  public var message: String {
    let owner = "the earshot that owns the link"
    return switch self {
    case .left: "\(owner) exited during this command"
    case .stopped(let process): "\(owner)\(number(process)) is suspended"
    case .silent(let process): "\(owner)\(number(process)) does not answer"
    case .busy(let process): "another command\(number(process)) has the link"
    }
  }

  /// What to do, in one line.
  fileprivate var advice: String {
    switch self {
    case .left: "check the headphone before you repeat the command"
    case .stopped(let process):
      "bring it back with fg" + (process.map { ", or kill -CONT \($0)" } ?? "")
    case .silent(let process):
      "it may recover by itself" + (process.map { "; if not, end it with kill -9 \($0)" } ?? "")
    case .busy: "try again when that has finished, or wait longer with --timeout"
    }
  }

  /// " (process 1234)", for a process that is known.
  private func number(_ process: Int32?) -> String { process.map { " (process \($0))" } ?? "" }
}
