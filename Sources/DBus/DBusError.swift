internal import Glibc

/// The reason why a D-Bus call has no result.
///
/// ```swift
/// do throws(DBusError) {
///   try await bus.call(call)
/// } catch {
///   if case .refused("org.bluez.Error.AlreadyConnected", _) = error { return }
///   throw error
/// }
/// ```
public enum DBusError: Error, Hashable, Sendable {
  /// Nothing listens at the address, or the connection ended.
  ///
  /// A normal state, for example in a container or over ssh without a session.
  case noBus
  /// No reply arrived in time; the call may have had its effect nevertheless.
  case timedOut
  /// The process that was called leaves every call without a reply.
  case unresponsive
  /// An error reply, with its D-Bus name, for example "org.bluez.Error.Failed", and its message.
  case refused(name: String, message: String)
  /// A message that breaks its interface's signature, or exceeds the limits of ``DBusValue``.
  case malformed(String)
  /// A function of libsystemd failed; `errno` is positive.
  case system(errno: Int32, during: String)
}

extension DBusError: CustomStringConvertible {
  /// The failure in lower case and without a full stop; the message of another process is
  /// unsanitised.
  public var description: String {
    switch self {
    case .noBus: "no D-Bus"
    case .timedOut: "no answer over D-Bus in time"
    case .unresponsive: "it does not answer"
    case .refused(let name, let message): message.isEmpty ? name : message
    case .malformed(let what): "malformed D-Bus message: \(what)"
    case .system(let code, let operation): "\(operation): errno \(code)"
    }
  }

  /// The D-Bus name of an error reply; nil for any other error.
  public var name: String? {
    guard case .refused(let name, _) = self else { return nil }
    return name
  }

  /// The meaning of a negative result of libsystemd.
  ///
  /// - Parameters:
  ///   - result: a negative errno.
  ///   - operation: what was attempted, in words that precede ": errno 22".
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
