internal import CPoll

/// The epoll events of a descriptor, requested or reported.
public struct Readiness: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Data can be read without blocking, or the peer has closed.
  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The peer will send nothing more.
  public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
  /// The connection has ended; reported even if not requested.
  public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
  /// The descriptor has a pending error; reported even if not requested.
  public static let error = Readiness(rawValue: EPOLLERR.rawValue)

  public static let ended: Readiness = [.peerClosed, .hangUp, .error]

  /// Reports once, until the interest is set again.
  static let once = Readiness(rawValue: EPOLLONESHOT.rawValue)
  /// Reports each change once, so that a counter need not be read.
  static let edge = Readiness(rawValue: EPOLLET.rawValue)
}
