internal import CPoll

/// The epoll events of a descriptor: those that are asked for, or those that are reported.
public struct Readiness: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The peer will send no more.
  public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
  /// Reported whether asked for or not.
  public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
  /// Reported whether asked for or not.
  public static let error = Readiness(rawValue: EPOLLERR.rawValue)

  /// Any of the ways in which a connection ends.
  public static let ended: Readiness = [.peerClosed, .hangUp, .error]

  /// Report once, and then not before the interest is set again.
  static let once = Readiness(rawValue: EPOLLONESHOT.rawValue)
  /// Report each change once, so that a counter need not be read back.
  static let edge = Readiness(rawValue: EPOLLET.rawValue)
}
