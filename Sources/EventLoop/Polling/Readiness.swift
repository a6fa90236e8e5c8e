internal import CPoll

/// The epoll events of a descriptor, requested or reported.
package struct Readiness: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Data can be read without blocking, or the peer has closed.
  package static let readable = Readiness(rawValue: EPOLLIN.rawValue)
  package static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
  /// The peer will send nothing more.
  package static let peerClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
  /// The connection has ended; reported even if not requested.
  package static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
  /// The descriptor has a pending error; reported even if not requested.
  package static let error = Readiness(rawValue: EPOLLERR.rawValue)

  package static let ended: Readiness = [.peerClosed, .hangUp, .error]

  /// Reports once, until the interest is set again.
  static let once = Readiness(rawValue: EPOLLONESHOT.rawValue)
  /// Reports each change once, so that a counter need not be read.
  static let edge = Readiness(rawValue: EPOLLET.rawValue)
}
