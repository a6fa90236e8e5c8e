/// A D-Bus server address, for example "unix:path=/run/user/1000/bus".
///
/// Only local sockets are accepted (D-Bus Specification, "Server Addresses"):
///
/// ```swift
/// let address = DBusAddress.system { getenv($0).map { String(cString: $0) } }
/// let remote = DBusAddress("tcp:host=example.org,port=1234")  // nil
/// ```
public struct DBusAddress: Hashable, Sendable {
  /// The address as libsystemd takes it; alternatives are separated by semicolons.
  let text: String

  /// The well-known address of the system bus, for an environment that names no other.
  private static let systemSocket = "unix:path=/run/dbus/system_bus_socket"

  /// Parses an address.
  ///
  /// Other transports start programs ("unixexec:", "autolaunch:"), with the capabilities that this
  /// process may have, or go over the network.
  ///
  /// - Parameter text: one or more alternatives, separated by semicolons.
  /// - Returns: `nil` unless every alternative is a local socket.
  public init?(_ text: String) {
    let transports = ["unix:path=", "unix:abstract=", "unix:runtime=yes"]
    let parts = text.split(separator: ";")
    guard !parts.isEmpty,
      parts.allSatisfy({ part in transports.contains { part.hasPrefix($0) } })
    else { return nil }
    self.text = text
  }

  /// The path of the socket; `nil` if there is none, or one of several.
  package var socketPath: String? {
    let prefix = "unix:path="
    guard text.hasPrefix(prefix), !text.contains(where: { ";%".contains($0) }) else { return nil }
    return String(text.dropFirst(prefix.count).prefix { $0 != "," })
  }

  /// The address of this user's session bus: `DBUS_SESSION_BUS_ADDRESS`, else
  /// `$XDG_RUNTIME_DIR/bus`.
  ///
  /// The environment is evaluated here, because libsystemd ignores it in a program with file
  /// capabilities (docs/permissions.md).
  ///
  /// - Parameter environment: the value of a variable; `nil` if it is not set.
  /// - Returns: `nil` without a session, or if the address is not local.
  public static func session(environment: (String) -> String?) -> DBusAddress? {
    if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty {
      return DBusAddress(address)
    }
    guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
    return DBusAddress("unix:path=\(escaped(folder))/bus")
  }

  /// The address of the machine's system bus: `DBUS_SYSTEM_BUS_ADDRESS`, else the well-known
  /// socket.
  ///
  /// - Parameter environment: the value of a variable; `nil` if it is not set.
  /// - Returns: `nil` if the variable's address is not local.
  public static func system(environment: (String) -> String?) -> DBusAddress? {
    if let address = environment("DBUS_SYSTEM_BUS_ADDRESS"), !address.isEmpty {
      return DBusAddress(address)
    }
    return DBusAddress(systemSocket)
  }

  /// A path with every byte but `-0-9A-Za-z_/.` as "%" and two hexadecimal digits.
  private static func escaped(_ path: String) -> String {
    path.utf8.map { byte in
      let character = Character(UnicodeScalar(byte))
      let isPlain = byte < 0x80 && (character.isLetter || character.isNumber)
      guard !isPlain, !"-_/.".contains(character) else { return String(character) }
      let digits = String(byte, radix: 16)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }
}
