internal import Glibc

/// The reason why a D-Bus call has no result.
public enum DBusError: Error, Hashable, Sendable {
  /// Nothing listens at the address, or the connection ended: a container, ssh without a session. A
  /// normal state.
  case noBus
  /// No reply came in time; the call may have had its effect all the same.
  case timedOut
  /// An error reply: its D-Bus name, for example "org.bluez.Error.Failed", and its message.
  case refused(name: String, message: String)
  /// A message that breaks its interface, or exceeds the limits of ``DBusValue``.
  case malformed(String)
  /// A call of libsystemd failed; `errno` is positive.
  case system(errno: Int32, during: String)
}

extension DBusError: CustomStringConvertible {
  /// What happened, lower case and without a full stop.
  public var description: String {
    switch self {
    case .noBus: "no D-Bus"
    case .timedOut: "no answer over D-Bus in time"
    case .refused(let name, let message): message.isEmpty ? name : message
    case .malformed(let what): "a D-Bus message makes no sense: \(what)"
    case .system(let code, let operation): "\(operation): errno \(code)"
    }
  }

  /// The D-Bus name of an error reply; nil for any other error.
  public var name: String? {
    guard case .refused(let name, _) = self else { return nil }
    return name
  }

  /// What a negative result of libsystemd means.
  init(_ result: Int32, during operation: String) {
    switch -result {
    // No socket, no address of one, or nothing behind it.
    case ENOENT, ECONNREFUSED, ENOMEDIUM, ENXIO, ECONNRESET, ENOTCONN, EPIPE, ESHUTDOWN, EACCES,
      ECONNABORTED:
      self = .noBus
    default: self = .system(errno: -result, during: operation)
    }
  }
}
