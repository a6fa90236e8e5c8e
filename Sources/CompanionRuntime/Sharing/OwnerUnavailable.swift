/// Why the process that owns the link did not bring a client's command to its end.
public struct OwnerUnavailable: Hashable, Sendable {
  /// What became of the owner.
  public enum Kind: Hashable, Sendable {
    /// It ended.
    case left
    /// It was stopped (^Z, SIGSTOP), as its number; nil: that is not known.
    case stopped(Int32?)
    /// It says nothing, and nobody knows why.
    case silent(Int32?)
    /// It does a command of its own, which takes too long.
    case busy(Int32?)
  }

  public var kind: Kind
  /// Whether the command may have been done.
  public var mayBeDone: Bool

  public init(_ kind: Kind, mayBeDone: Bool) {
    self.kind = kind
    self.mayBeDone = mayBeDone
  }

  var displayText: String {
    kind.displayText + (mayBeDone ? ": whether it was done is unknown" : "; nothing was done")
  }

  var advice: String { kind.advice }
}

extension OwnerUnavailable.Kind {
  /// What a person is told who waits for it.
  public var whileWaiting: String { "\(displayText)\n\(advice)" }

  /// What happened, in one line.
  public var displayText: String {
    let owner = "the earshot that owns the link"
    return switch self {
    case .left: "\(owner) left in the middle of this command"
    case .stopped(let process): "\(owner)\(number(process)) is suspended"
    case .silent(let process): "\(owner)\(number(process)) does not answer"
    case .busy(let process): "another command\(number(process)) has the link"
    }
  }

  fileprivate var advice: String {
    switch self {
    case .left: "look what is there now before you do it again"
    case .stopped(let process):
      "bring it back with fg" + (process.map { ", or kill -CONT \($0)" } ?? "")
    case .silent(let process):
      "it may go on by itself" + (process.map { "; if not, end it with kill -9 \($0)" } ?? "")
    case .busy: "do it again when that has ended, or wait longer with --timeout"
    }
  }

  private func number(_ process: Int32?) -> String { process.map { " (process \($0))" } ?? "" }
}
