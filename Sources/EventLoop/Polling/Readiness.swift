internal import CPoll

/// The epoll events of a descriptor, as requested or as reported.
public struct Readiness: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Data can be read without blocking, or the peer has closed.
  public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  /// Data can be written without blocking.
  public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The peer will send nothing more.
  public static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
  /// The connection has ended; reported whether requested or not.
  public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
  /// The descriptor has a pending error; reported whether requested or not.
  public static let error = Readiness(rawValue: EPOLLERR.rawValue)

  /// Any of the ways in which a connection ends.
  public static let ended: Readiness = [.peerClosed, .hangUp, .error]

  /// Report once, and then only after the interest is set again.
  static let once = Readiness(rawValue: EPOLLONESHOT.rawValue)
  /// Report each change once, so that a counter need not be read.
  static let edge = Readiness(rawValue: EPOLLET.rawValue)
}
