/// How a visitor lost the process that was doing its command.
public struct OwnerLoss: Hashable, Sendable {
  /// What became of the owner.
  public enum Kind: Hashable, Sendable {
    /// It ended.
    case left
    /// It was stopped (^Z, SIGSTOP), as its number.
    case stopped(Int32)
    /// It does not take the command, and nobody knows why.
    case silent
  }

  public var kind: Kind
  /// Whether the command may have been done.
  public var mayBeDone: Bool

  public init(_ kind: Kind, mayBeDone: Bool) {
    self.kind = kind
    self.mayBeDone = mayBeDone
  }

  /// What a person is told who waits for a stopped one.
  public static func standsStill(_ process: OtherProcess) -> String {
    let kind = Kind.stopped(process.id)
    return "\(kind.words)\n\(kind.advice)"
  }

  var words: String {
    kind.words + (mayBeDone ? ": whether it was done is unknown" : "; nothing was done")
  }

  var advice: String { kind.advice }
}

extension OwnerLoss.Kind {
  fileprivate var words: String {
    let owner = "the earshot that owns the link"
    return switch self {
    case .left: "\(owner) left in the middle of this command"
    case .stopped(let process): "\(owner) (process \(process)) is suspended"
    case .silent: "\(owner) does not answer"
    }
  }

  fileprivate var advice: String {
    switch self {
    case .left: "look what is there now before you do it again"
    case .stopped(let process): "bring it back with fg, or kill -CONT \(process)"
    case .silent: "it may be suspended: bring it back with fg"
    }
  }
}
