internal import Glibc

package enum DBusError: Error, Hashable, Sendable {
  /// Nothing listens at the address, as in a container or over ssh, or the connection ended.
  case noBus
  /// No reply arrived in time; the call may still have had its effect.
  case timedOut
  case unresponsive
  /// An error reply with its D-Bus name, such as "org.bluez.Error.Failed", and its message.
  case refused(name: String, message: String)
  /// A message that violates its interface's signature or the limits of ``DBusValue``.
  case malformed(String)
  /// A function of libsystemd failed; `errno` is positive.
  case system(errno: Int32, during: String)
}

extension DBusError: CustomStringConvertible {
  /// The failure in lower case and without a full stop; another process's message is unsanitised.
  package var description: String {
    switch self {
    case .noBus: "no D-Bus"
    case .timedOut: "no answer over D-Bus in time"
    case .unresponsive: "it does not answer"
    case .refused(let name, let message): message.isEmpty ? name : message
    case .malformed(let what): "malformed D-Bus message: \(what)"
    case .system(let code, let operation): "\(operation): errno \(code)"
    }
  }

  /// The D-Bus name of an error reply, or nil for any other error.
  package var name: String? {
    guard case .refused(let name, _) = self else { return nil }
    return name
  }

  /// Creates the error for a negative errno from libsystemd; `operation` is the attempt in words.
  init(_ result: Int32, during operation: String) {
    switch -result {
    // There is no socket, or no process listens.
    case ENOENT, ECONNREFUSED, ENOMEDIUM, ENXIO, ECONNRESET, ENOTCONN, EPIPE, ESHUTDOWN, EACCES,
      ECONNABORTED:
      self = .noBus
    default: self = .system(errno: -result, during: operation)
    }
  }
}
