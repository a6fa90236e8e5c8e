package import CompanionRuntime

/// The reason why the owner of the link did not complete a client's command.
///
/// A command is retried with the next owner only if it is idempotent. Otherwise this error says
/// whether the command may have taken effect. The exit status is 5.
package struct OwnerUnavailable: Error, Hashable, Sendable {
  /// A problem with the owner; the number is its process ID, if known.
  package enum Problem: Hashable, Sendable {
    case left
    case stopped(Int32?)
    case silent(Int32?)
    /// The owner runs its own command, which takes too long.
    case busy(Int32?)
  }

  package var problem: Problem
  package var mayBeDone: Bool

  package init(_ problem: Problem, mayBeDone: Bool) {
    self.problem = problem
    self.mayBeDone = mayBeDone
  }

  /// The failure that the user sees: the fate of the command, and the remedy.
  package var failure: FailureReport {
    let consequence = mayBeDone ? "; it may or may not have been done" : "; nothing was done"
    return FailureReport(
      what: "\(problem.message)\(consequence)", advice: problem.advice,
      code: ExitStatus.linkLost.rawValue)
  }
}

extension OwnerUnavailable.Problem {
  package var messageAndAdvice: String { "\(message)\n\(advice)" }

  package var message: String {
    let owner = "the earshot that owns the link"
    return switch self {
    case .left: "\(owner) exited during this command"
    case .stopped(let process): "\(owner)\(number(process)) is suspended"
    case .silent(let process): "\(owner)\(number(process)) does not answer"
    case .busy(let process): "another command\(number(process)) has the link"
    }
  }

  fileprivate var advice: String {
    switch self {
    case .left: "check the headphone before you repeat the command"
    case .stopped(let process):
      "bring it back with fg" + (process.map { ", or kill -CONT \($0)" } ?? "")
    case .silent(let process):
      "it may recover" + (process.map { "; if not, end it with kill -9 \($0)" } ?? "")
    case .busy: "try again when that has finished, or wait longer with --timeout"
    }
  }

  private func number(_ process: Int32?) -> String { process.map { " (process \($0))" } ?? "" }
}
